//===- CompiledPlanReader.cpp - Compiled plans to plans -------------------===//
//
// Every byte may be hostile. FlatBuffers' verifier sees to it that nothing is
// read outside of the buffer; what it lets through all the same, tables and
// strings that many places point at, is bounded here: an honest file has each
// of them once.
//
//===----------------------------------------------------------------------===//

#include "plan/Attributes.h"
#include "plan/CompiledPlan.h"
#include "plan/CompiledPlan_generated.h"
#include "plan/Names.h"
#include "plan/PlanFields.h"
#include "plan/PlanReader.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tuple>

namespace kplan {

namespace fb = compiled;
template <typename T> using List = flatbuffers::Vector<flatbuffers::Offset<T>>;

namespace {

/// Copies tables to structs. The first thing that is wrong ends it.
class Reader {
public:
  explicit Reader(size_t FileBytes)
      : MostEntries(FileBytes / 16), TextLeft(FileBytes) {}

  bool plan(const fb::Plan &In, CompiledPlan &Out);
  const std::string &problem() const { return Problem; }

private:
  bool fail(std::string Why) {
    Problem = std::move(Why);
    return false;
  }

  bool text(const flatbuffers::String *In, std::string &Out) {
    if (!In)
      return true;
    if (In->size() > TextLeft)
      return fail("holds more text than fits into its size");
    TextLeft -= In->size();
    Out.assign(In->data(), In->size());
    // It would end there for the driver, and elsewhere for us.
    return Out.find('\0') == std::string::npos || fail("a text holds a NUL");
  }
  bool name(const flatbuffers::String *In, std::string &Out) {
    return text(In, Out) && (!Out.empty() || fail("a name is empty"));
  }
  /// A path in the plan's store.
  bool path(const flatbuffers::String *In, std::string &Out) {
    return text(In, Out) &&
           (staysInside(Out) || fail("a path leaves the plan's folder"));
  }

  template <typename E> bool enumerator(uint8_t Number, E &Out) {
    Out = static_cast<E>(Number);
    return !nameOf(Out).empty() || fail("an enumerator is not known");
  }

  template <typename T, typename Item>
  bool list(const List<T> *In, std::vector<Item> &Out,
            bool (Reader::*Each)(const T &, Item &)) {
    if (!In)
      return true;
    Out.reserve(std::min<size_t>(In->size(), MostEntries));
    for (const T *Entry : *In)
      if (!(this->*Each)(*Entry, Out.emplace_back()))
        return false;
    return true;
  }

  /// A list whose entries are sorted by a key, each there once.
  template <typename T, typename Item, typename Key>
  bool sortedList(const List<T> *In, std::vector<Item> &Out,
                  bool (Reader::*Each)(const T &, Item &), Key Of,
                  const char *What) {
    if (!In)
      return true;
    Out.reserve(std::min<size_t>(In->size(), MostEntries));
    for (const T *Entry : *In) {
      if (!(this->*Each)(*Entry, Out.emplace_back()))
        return false;
      size_t Last = Out.size() - 1;
      if (Last && !(Of(Out[Last - 1]) < Of(Out[Last])))
        return fail(std::string("the ") + What +
                    " are not sorted, or one is there twice");
    }
    return true;
  }

  /// A map whose keys are sorted in the file.
  template <typename T, typename V>
  bool map(const List<T> *In, std::map<std::string, V> &Out) {
    if (!In)
      return true;
    for (const T *Entry : *In) {
      std::string Key;
      if (!name(Entry->name(), Key))
        return false;
      if (!Out.empty() && Out.rbegin()->first >= Key)
        return fail("the keys of a map are not sorted");
      Out.emplace_hint(Out.end(), std::move(Key), Entry->value());
    }
    return true;
  }

  void id(const fb::ContentId &In, std::string &Out);
  bool word(const fb::Text &In, std::string &Out) {
    return name(In.value(), Out);
  }
  bool anyText(const fb::Text &In, std::string &Out) {
    return text(In.value(), Out);
  }
  bool producer(const fb::Producer &In, Producer &Out);
  bool attributes(const fb::Kernel &In, Kernel &Out);
  bool uses(const fb::Kernel &In, Kernel &Out);
  bool kernel(const fb::Kernel &In, Kernel &Out);
  bool origin(const fb::Image &In, Image &Out);
  bool cubin(const fb::Cubin &In, CompiledImage &Out);
  bool image(const fb::Image &In, Image &Out);
  bool module(const fb::Module &In, Module &Out);
  bool global(const fb::Global &In, Global &Out) {
    return name(In.symbol(), Out.Symbol) && text(In.file(), Out.File);
  }
  bool limits(const fb::Plan &In, Limits &Out);

  size_t MostEntries; ///< That a list of tables can have.
  size_t TextLeft;    ///< Of the file's bytes.
  std::string Problem;
};

void Reader::id(const fb::ContentId &In, std::string &Out) {
  static constexpr char Digits[] = "0123456789abcdef";
  Out = "xxh3:00000000000000000000000000000000";
  char *At = Out.data() + Out.size();
  for (uint64_t Half : {In.low(), In.high()})
    for (unsigned I = 0; I < 16; ++I, Half >>= 4)
      *--At = Digits[Half & 15];
}

bool Reader::producer(const fb::Producer &In, Producer &Out) {
  Out.Sms = In.sms();
  return name(In.tool(), Out.Tool) && text(In.version(), Out.Version) &&
         text(In.clang(), Out.Clang) && text(In.cuda(), Out.Cuda) &&
         list(In.arch(), Out.Arch, &Reader::word) && text(In.gpu(), Out.Gpu) &&
         text(In.driver(), Out.Driver) && text(In.loading(), Out.Loading);
}

bool Reader::attributes(const fb::Kernel &In, Kernel &Out) {
  if (!In.attributes())
    return true;
  // The verifier sees to the alignment of tables' fields, not of lists.
  if (reinterpret_cast<uintptr_t>(In.attributes()->Data()) %
      alignof(fb::AttributeValue))
    return fail("a list is not aligned");
  for (const fb::AttributeValue *Entry : *In.attributes()) {
    const AttributeInfo *Info = findAttribute(Entry->attribute());
    if (!Info || !Info->Settable)
      return fail("an attribute is not known");
    if (!Out.Attributes.empty() && Out.Attributes.rbegin()->first >= Info->Id)
      return fail("the attributes of a kernel are not sorted");
    Value V = Entry->number();
    if (Entry->kind() == fb::ValueKind::Max)
      V = MaxValue();
    else if (Entry->kind() == fb::ValueKind::AtMost)
      V = AtMostValue{Entry->number()};
    else if (Entry->kind() != fb::ValueKind::Integer)
      return fail("an enumerator is not known");
    Out.Attributes.emplace_hint(Out.Attributes.end(), Info->Id, V);
  }
  return true;
}

bool Reader::uses(const fb::Kernel &In, Kernel &Out) {
  if (!In.uses())
    return true;
  for (uint8_t Number : *In.uses()) {
    Use U;
    if (!enumerator(Number, U))
      return false;
    if (!Out.Uses.empty() && Out.Uses.back() >= U)
      return fail("the uses of a kernel are not sorted");
    Out.Uses.push_back(U);
  }
  return true;
}

bool Reader::kernel(const fb::Kernel &In, Kernel &Out) {
  if (!name(In.symbol(), Out.Key.Symbol) || !text(In.file(), Out.Key.File) ||
      !text(In.name(), Out.Name))
    return false;
  Out.Key.Link = In.internal() ? Linkage::Internal : Linkage::External;
  if (In.internal() == Out.Key.File.empty())
    return fail("'file' belongs to kernels with internal linkage");
  if (!In.internal() && Out.Key.Symbol.find('*') != std::string::npos)
    return fail("a symbol with '*' needs internal linkage");
  if (In.image())
    id(*In.image(), Out.Key.Image);
  if (In.cache_config() && !enumerator(*In.cache_config(), Out.Cache.emplace()))
    return false;
  Out.LocalBytes = In.local_bytes();
  return attributes(In, Out) && uses(In, Out);
}

bool Reader::origin(const fb::Image &In, Image &Out) {
  if (In.file_origin() && In.store_origin())
    return fail("an image has two origins");
  if (const fb::FileOrigin *File = In.file_origin()) {
    FileOrigin O;
    O.Offset = File->offset();
    O.Size = File->size();
    if (!name(File->file(), O.File) || !text(File->build_id(), O.BuildId))
      return false;
    if (!O.Size)
      return fail("an image has no size");
    Out.Origin = std::move(O);
  } else if (In.store_origin()) {
    StoreOrigin O;
    if (!path(In.store_origin(), O.Path))
      return false;
    Out.Origin = std::move(O);
  }
  return true;
}

bool Reader::cubin(const fb::Cubin &In, CompiledImage &Out) {
  if (!name(In.arch(), Out.Arch) || !path(In.file(), Out.File) ||
      !text(In.sha256(), Out.Sha256) || !text(In.tool(), Out.Tool) ||
      !list(In.options(), Out.Options, &Reader::anyText) ||
      !list(In.sources(), Out.Sources, &Reader::word))
    return false;
  return fields::isHex(Out.Sha256, 64) ||
         fail("a cubin's SHA-256 is not 64 hexadecimal digits");
}

bool Reader::image(const fb::Image &In, Image &Out) {
  id(*In.id(), Out.Id);
  Out.Copies = In.copies();
  if (!Out.Copies)
    return fail("an image has no copies");
  Out.UseCompiled = In.use_compiled();
  return enumerator(In.kind(), Out.Kind) &&
         enumerator(In.loader(), Out.LoadedBy) &&
         map(In.options(), Out.Options) && origin(In, Out) &&
         list(In.globals(), Out.Globals, &Reader::word) &&
         list(In.cubins(), Out.Compiled, &Reader::cubin);
}

bool Reader::module(const fb::Module &In, Module &Out) {
  return name(In.name(), Out.Name) &&
         list(In.inputs(), Out.Inputs, &Reader::word) &&
         list(In.cubins(), Out.Compiled, &Reader::cubin);
}

bool Reader::limits(const fb::Plan &In, Limits &Out) {
  if (!map(In.limits(), Out))
    return false;
  for (const auto &[Name, Size] : Out)
    if (std::find(LimitNames.begin(), LimitNames.end(), Name) ==
        LimitNames.end())
      return fail("a limit is not known");
  return true;
}

bool Reader::plan(const fb::Plan &In, CompiledPlan &Out) {
  Plan &P = Out.Plan;
  auto KernelOrder = [](const Kernel &K) -> const KernelKey & { return K.Key; };
  auto ImageOrder = [](const Image &I) {
    return std::tie(I.Id, I.LoadedBy, I.Options);
  };
  return text(In.source(), Out.Source) &&
         list(In.producers(), P.Producers, &Reader::producer) &&
         sortedList(In.kernels(), P.Kernels, &Reader::kernel, KernelOrder,
                    "kernels") &&
         sortedList(In.images(), P.Images, &Reader::image, ImageOrder,
                    "images") &&
         list(In.globals(), P.Globals, &Reader::global) &&
         list(In.modules(), P.Modules, &Reader::module) && limits(In, P.Limits);
}

} // namespace

bool isCompiledPlan(std::string_view Bytes) {
  constexpr size_t IdentifierOffset = sizeof(flatbuffers::uoffset_t);
  return Bytes.size() >= IdentifierOffset + 4 &&
         Bytes.substr(IdentifierOffset, 4) == fb::PlanIdentifier();
}

/// The bytes where they may be read as numbers of 8 bytes.
static const uint8_t *aligned(std::string_view Bytes,
                              std::unique_ptr<uint64_t[]> &Copy) {
  if (reinterpret_cast<uintptr_t>(Bytes.data()) % alignof(uint64_t) == 0)
    return reinterpret_cast<const uint8_t *>(Bytes.data());
  Copy = std::make_unique<uint64_t[]>(Bytes.size() / sizeof(uint64_t) + 1);
  Bytes.copy(reinterpret_cast<char *>(Copy.get()), Bytes.size());
  return reinterpret_cast<const uint8_t *>(Copy.get());
}

Result<CompiledPlan> readCompiledPlan(std::string_view Bytes,
                                      std::string_view FileName) {
  auto Refuse = [&](std::string Why, std::string Hint) {
    Diagnostic D = makeError(std::move(Why), std::move(Hint));
    D.File = FileName;
    return D;
  };
  auto Broken = [&](const std::string &Why) {
    return Refuse("not a sound compiled plan: " + Why,
                  "make it again with kplan compile");
  };
  if (!isCompiledPlan(Bytes))
    return Refuse("not a compiled plan", "kplan compile makes one");
  if (Bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return Broken("it is too large");

  std::unique_ptr<uint64_t[]> Copy;
  const uint8_t *Data = aligned(Bytes, Copy);
  // A table takes 8 bytes at the least, its entry in a list included.
  constexpr unsigned Depth = 8;
  auto Tables = static_cast<flatbuffers::uoffset_t>(Bytes.size() / 8);
  auto Sound = [&]<typename T>() {
    flatbuffers::Verifier V(Data, Bytes.size(), Depth, Tables);
    return V.VerifyBuffer<T>(nullptr);
  };
  if (!Sound.template operator()<fb::Header>())
    return Broken("it is damaged");
  const auto *Header = flatbuffers::GetRoot<fb::Header>(Data);
  auto Known = std::to_string(CompiledVersion);
  if (Header->version() != CompiledVersion || Header->minor() > CompiledMinor)
    return Refuse("this compiled plan has version " +
                      std::to_string(Header->version()) + '.' +
                      std::to_string(Header->minor()) +
                      "; this kplan reads up to " + Known + '.' +
                      std::to_string(CompiledMinor),
                  "use a newer kplan, or make it again with kplan compile");
  if (!Sound.template operator()<fb::Plan>())
    return Broken("it is damaged");

  CompiledPlan Out;
  Reader R(Bytes.size());
  if (!R.plan(*fb::GetPlan(Data), Out))
    return Broken(R.problem());
  return Out;
}

} // namespace kplan
