//===- HtmlPlan.cpp - A plan's entries as a section of a page -------------===//

#include "report/HtmlPlan.h"

#include "plan/AttributeRules.h"
#include "plan/Demangle.h"
#include "plan/Names.h"
#include "plan/Summary.h"
#include "report/Figures.h"

namespace kplan::report {

static std::string attributesOf(const Kernel &K) {
  std::string Text;
  auto Add = [&](std::string_view Name, const std::string &Value) {
    Text += (Text.empty() ? "" : ", ") + std::string(Name) + " = " + Value;
  };
  for (const auto &[Of, Value] : K.Attributes)
    Add(nameOf(Of), describeValue(Value));
  if (K.Cache)
    Add("cache_config", std::string(nameOf(*K.Cache)));
  return Text;
}

static std::string originOf(const Image &I) {
  if (const auto *File = std::get_if<FileOrigin>(&I.Origin))
    return File->File.substr(File->File.rfind('/') + 1) + ", " +
           formatBytes(File->Size);
  if (const auto *Store = std::get_if<StoreOrigin>(&I.Origin))
    return "store: " + Store->Path;
  return "its bytes are not known";
}

static void writeKernels(HtmlWriter &Out, const std::vector<Kernel> &Kernels) {
  if (Kernels.empty())
    return;
  Out << "<details" << (Kernels.size() <= FirstRows ? " open" : "")
      << "><summary>" << plural(Kernels.size(), "kernel", "kernels")
      << "</summary>\n<table class=\"stack\"><thead><tr><th "
         "scope=\"col\">Kernel</th><th scope=\"col\">Set before its first "
         "use</th><th scope=\"col\" class=\"number\">Local memory a "
         "thread</th><th scope=\"col\">Starts</th></tr></thead>\n<tbody>\n";
  for (size_t I = 0; I < Kernels.size() && I < MostRows; ++I) {
    const Kernel &K = Kernels[I];
    Out << "<tr><td>";
    Out.symbol(K.Key.Symbol, K.Name.empty() ? demangle(K.Key.Symbol) : K.Name);
    if (!K.Key.File.empty())
      (Out << "<span class=\"sub\">in ").text(K.Key.File) << "</span>";
    Out << "</td>";
    const std::string Set = attributesOf(K);
    Out.cell("", "Set").text(Set.empty() ? "–" : Set) << "</td>";
    Out.cell("number", "Local memory")
        << (K.LocalBytes ? plural(*K.LocalBytes, "byte", "bytes") : "–")
        << "</td>";
    std::string Uses;
    for (kplan::Use U : K.Uses)
      Uses += (Uses.empty() ? "" : ", ") + std::string(nameOf(U));
    Out.cell("", "Starts").text(Uses.empty() ? "–" : Uses) << "</td></tr>\n";
  }
  Out << "</tbody></table>\n";
  Out.more(Kernels.size(), "the plan");
  Out << "</details>\n";
}

static void writeImages(HtmlWriter &Out, const std::vector<Image> &Images) {
  if (Images.empty())
    return;
  Out << "<details><summary>" << plural(Images.size(), "image", "images")
      << " of device code</summary>\n<table class=\"stack\"><thead><tr><th "
         "scope=\"col\">Image</th><th scope=\"col\">Kind</th><th "
         "scope=\"col\">Where its bytes are</th><th scope=\"col\" "
         "class=\"number\">Copies</th></tr></thead>\n<tbody>\n";
  for (size_t I = 0; I < Images.size() && I < MostRows; ++I) {
    const Image &Of = Images[I];
    Out << "<tr>";
    Out.cell("name", "").text(Of.Id) << "</td>";
    Out.cell("", "Kind")
            .text(std::string(nameOf(Of.Kind)) + ", loaded as a " +
                  std::string(nameOf(Of.LoadedBy)))
        << "</td>";
    Out.cell("", "Bytes").text(originOf(Of)) << "</td>";
    Out.cell("number", "Copies") << std::to_string(Of.Copies) << "</td></tr>\n";
  }
  Out << "</tbody></table>\n";
  Out.more(Images.size(), "the plan");
  Out << "</details>\n";
}

void writePlan(HtmlWriter &Out, const Plan &P, const std::string &File) {
  Out << "<section id=\"plan\" aria-labelledby=\"plan-title\">\n<h2 "
         "id=\"plan-title\">Plan</h2>\n<p class=\"hint\">";
  Out.text(File + ": " + formatSummary(summarise(P)))
      << "</p>\n<div class=\"panel\">\n";
  writeKernels(Out, P.Kernels);
  writeImages(Out, P.Images);
  if (!P.Limits.empty()) {
    Out << "<p class=\"more\">Limits: ";
    bool First = true;
    for (const auto &[Name, Value] : P.Limits) {
      (Out << (First ? "" : ", ")).text(Name + " = " + std::to_string(Value));
      First = false;
    }
    Out << "</p>\n";
  }
  Out << "</div>\n</section>\n";
}

} // namespace kplan::report
