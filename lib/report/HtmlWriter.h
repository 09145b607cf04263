//===- HtmlWriter.h - HTML out --------------------------------------------===//
//
// Part of kplan. Markup comes from this program, text from anywhere: what is
// given as text is escaped, so that a kernel's name can be any bytes.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_REPORT_HTMLWRITER_H
#define KPLAN_REPORT_HTMLWRITER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace kplan::report {

/// For an element's content or a quoted attribute. Control characters and bytes
/// that are not UTF-8 become U+FFFD.
std::string htmlText(std::string_view Text);

/// "sha256-…", as a Content-Security-Policy names what it allows.
std::string cspHash(std::string_view Text);

/// Rows of a table beyond which a page helps nobody.
inline constexpr size_t MostRows = 1000;
/// Rows that are shown without being asked for.
inline constexpr size_t FirstRows = 20;

/// "1 kernel", "2 kernels".
std::string plural(uint64_t Count, const char *One, const char *Many);

class HtmlWriter {
public:
  /// Markup, as it is.
  HtmlWriter &operator<<(std::string_view Markup) {
    Out += Markup;
    return *this;
  }
  /// Escaped.
  HtmlWriter &text(std::string_view Text) {
    Out += htmlText(Text);
    return *this;
  }
  /// `<td class="…" data-label="…">`; what is empty is left out.
  HtmlWriter &cell(std::string_view Class, std::string_view Label);
  /// A name in an element of a class. Names of templates can be pages long:
  /// the whole of such a one is in its title.
  HtmlWriter &name(std::string_view Class, const std::string &Name,
                   size_t MostBytes = 240);
  /// A name for people; the symbol below it, where that is another text.
  HtmlWriter &symbol(const std::string &Symbol, const std::string &Readable);
  /// What a table of so many rows leaves out, and where it is.
  void more(size_t Rows, const char *Where);
  std::string take() { return std::move(Out); }

private:
  std::string Out;
};

} // namespace kplan::report

#endif // KPLAN_REPORT_HTMLWRITER_H
