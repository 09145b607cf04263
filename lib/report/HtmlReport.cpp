//===- HtmlReport.cpp - A page about what a plan bought -------------------===//

#include "report/HtmlReport.h"

#include "report/Figures.h"
#include "report/HtmlPlan.h"
#include "report/HtmlWriter.h"
#include "report/PageAssets.h"
#include "report/PageData.h"

#include "plan/Demangle.h"

#include <algorithm>
#include <cstdio>

namespace kplan::report {

namespace {

class Page {
public:
  explicit Page(const ReportInput &In) : In(In) {
    for (const Side &S : In.Sides) {
      All.push_back(figuresOf(*S.T));
      Simulated |= S.T->isSimulated();
      Escapes += All.back().Escapes;
    }
  }
  std::string write();

private:
  bool compares() const { return In.Sides.size() > 1; }
  std::string title() const;
  void head();
  void header();
  void navigation();
  void summary();
  void card(const Side &S, const Figures &F);
  void waits();
  void useCell(const Use &U, uint64_t Longest, const std::string &Label);
  void timeline();
  void stalls();
  void stallTable(const Side &S, size_t Number);
  void stallRow(const Side &S, size_t Number, const StallRow &Row);
  void tracedStalls();
  void escapes();
  void about();

  const ReportInput &In;
  std::vector<Figures> All; ///< By side.
  bool Simulated = false;
  size_t Escapes = 0;
  HtmlWriter Out;
};

} // namespace

std::string Page::title() const {
  if (!In.Title.empty())
    return In.Title;
  for (const Side &S : In.Sides)
    for (const Process &P : S.T->Processes)
      if (!P.Calls.empty())
        return P.programName();
  return In.PlanFile;
}

void Page::head() {
  Out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
         "\n<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; "
         "style-src '"
      << cspHash(StyleSheet) << "'; script-src '" << cspHash(Script)
      << "'\">\n<meta name=\"generator\" content=\"kplan " KPLAN_VERSION
         "\">\n<title>";
  Out.text(title()) << " – kplan report</title>\n<style>" << StyleSheet
                    << "</style>\n</head>\n<body>\n<a class=\"skip\" "
                       "href=\"#main\">Skip to the report</a>\n";
}

void Page::header() {
  Out << "<header class=\"inner\">\n<p class=\"brand\">kplan report</p>\n<h1>";
  Out.text(title()) << "</h1>\n<p class=\"meta\">";
  std::vector<std::string> Facts;
  auto Add = [&](const std::string &Fact) {
    if (!Fact.empty() && std::ranges::find(Facts, Fact) == Facts.end())
      Facts.push_back(Fact);
  };
  for (const Side &S : In.Sides)
    for (const Process &P : S.T->Processes) {
      for (const trace::DeviceEvent &D : P.Devices)
        Add(D.Name + ", " + std::to_string(D.Sms) + " SMs");
      if (!P.Driver.Version.empty())
        Add("driver " + P.Driver.Version);
      if (!P.Driver.Loading.empty())
        Add(P.Driver.Loading + " loading");
    }
  if (!In.Sides.empty())
    if (std::string Date = formatDate(In.Sides[0].T->Date); !Date.empty())
      Add("recorded " + Date);
  for (size_t I = 0; I < Facts.size(); ++I)
    (Out << (I ? " · " : "")).text(Facts[I]);
  Out << "</p>\n";
  if (Simulated)
    Out << "<p class=\"notice\"><strong>Simulated.</strong> This was recorded "
           "with kplan’s stand-in driver, which keeps a GPU in memory and "
           "computes nothing. Its times say nothing about hardware.</p>\n";
  Out << "</header>\n";
}

void Page::navigation() {
  Out << "<nav aria-label=\"Sections\"><ul class=\"inner\">\n";
  auto Link = [&](const char *Id, const char *Name) {
    Out << "<li><a href=\"#" << Id << "\">" << Name << "</a></li>\n";
  };
  if (!In.Sides.empty()) {
    Link("summary", "Summary");
    Link("waits", compares() ? "Before and after" : "What waited");
    Link("timeline", "Timeline");
  }
  Link("stalls", "Stalls");
  if (Escapes)
    Link("escapes", "Escapes");
  if (In.ThePlan)
    Link("plan", "Plan");
  Link("about", "About");
  Out << "</ul></nav>\n<main id=\"main\" class=\"inner\">\n";
}

void Page::card(const Side &S, const Figures &F) {
  Out << "<article class=\"card\">\n<h3>";
  Out.text(S.Label) << "</h3>\n<p class=\"big " << (F.Stalls ? "bad" : "good")
                    << "\">" << std::to_string(F.Stalls) << " <small>"
                    << (F.Stalls == 1 ? "stall" : "stalls")
                    << "</small></p>\n<dl class=\"figures\">\n";
  auto Row = [&](const char *Name, const std::string &Value) {
    (Out << "<dt>" << Name << "</dt><dd>").text(Value) << "</dd>\n";
  };
  if (F.Stalls) {
    Row("Time stalled, all threads", formatTime(F.Stalled));
    Row("Longest stall", formatTime(F.Longest));
  }
  Row("Driver calls", std::to_string(F.Calls));
  Row("First of their kind", std::to_string(F.Firsts));
  if (F.Primings) {
    Row("Priming", formatTime(F.Priming));
    Row("Libraries and functions primed",
        std::to_string(F.Libraries) + ", " + std::to_string(F.Functions));
    if (F.DeviceBytes)
      Row("Device memory taken by priming", formatBytes(F.DeviceBytes));
    if (F.Missing)
      Row("Entries not placed", std::to_string(F.Missing));
  }
  if (F.Seals)
    Row("Escapes after the seal", std::to_string(F.Escapes));
  if (F.Processes > 1)
    Row("Processes", std::to_string(F.Processes));
  Row("Recorded", formatTime(S.T->Duration));
  Row("Recording", S.File);
  Out << "</dl>\n</article>\n";
}

void Page::summary() {
  Out << "<section id=\"summary\" aria-labelledby=\"summary-title\">\n<h2 "
         "id=\"summary-title\">Summary</h2>\n<p class=\"hint\">A stall is a "
         "call that took at least 1 ms while other streams had work in "
         "flight.</p>\n<div class=\"cards\">\n";
  for (size_t I = 0; I < In.Sides.size(); ++I)
    card(In.Sides[I], All[I]);
  Out << "</div>\n</section>\n";
}

void Page::useCell(const Use &U, uint64_t Longest, const std::string &Label) {
  Out.cell("side", Label);
  if (!U.Count) {
    Out << "<span class=\"sub\">no such call</span></td>";
    return;
  }
  Out << "<span class=\"number\">" << formatTime(U.Longest) << "</span>";
  if (U.Stalls)
    Out << "<span class=\"tag stall\">"
        << (U.Stalls == 1 ? "stall" : plural(U.Stalls, "stall", "stalls"))
        << "</span>";
  else
    Out << "<span class=\"tag ok\">no stall</span>";
  if (U.Escapes)
    Out << "<span class=\"tag escape\">escape</span>";
  if (U.Count > 1)
    Out << "<span class=\"sub\">longest of " << std::to_string(U.Count)
        << "</span>";
  char Part[32];
  std::snprintf(Part, sizeof Part, "%.2f",
                Longest ? 100.0 * static_cast<double>(U.Longest) /
                              static_cast<double>(Longest)
                        : 0.0);
  Out << "<svg class=\"bar" << (U.Stalls ? " stall" : "")
      << "\" aria-hidden=\"true\"><rect width=\"" << Part
      << "%\" height=\"100%\"/></svg></td>";
}

void Page::waits() {
  Out << "<section id=\"waits\" aria-labelledby=\"waits-title\">\n<h2 "
         "id=\"waits-title\">"
      << (compares() ? "Before and after" : "What waited")
      << "</h2>\n<p class=\"hint\">Calls that stalled"
      << (compares() ? " in either recording, with the longest time that each "
                       "took in both"
                     : ", each with the longest time that it took")
      << ". Bars share one scale.</p>\n";
  const auto Rows =
      compareWaits(*In.Sides[0].T, compares() ? In.Sides[1].T : nullptr);
  if (Rows.empty()) {
    Out << "<div class=\"panel\">Nothing stalled.</div>\n</section>\n";
    return;
  }
  const uint64_t Longest =
      std::max(Rows[0].Before.Longest, Rows[0].After.Longest);
  Out << "<div class=\"panel\"><table class=\"stack compare\">\n<thead><tr>"
         "<th scope=\"col\">Call</th>";
  for (const Side &S : In.Sides)
    (Out << "<th scope=\"col\">").text(S.Label) << "</th>";
  Out << "</tr></thead>\n<tbody>\n";
  for (size_t I = 0; I < Rows.size() && I < MostRows; ++I) {
    const ComparedUse &C = Rows[I];
    Out << "<tr><td>";
    if (C.Subject.empty())
      (Out << "<span class=\"name\">").text(C.Api) << "</span>";
    else
      (Out.name("name", demangle(C.Subject)) << "<span class=\"sub name\">")
              .text(C.Api)
          << "</span>";
    Out << "</td>";
    useCell(C.Before, Longest, In.Sides[0].Label);
    if (compares())
      useCell(C.After, Longest, In.Sides[1].Label);
    Out << "</tr>\n";
  }
  Out << "</tbody></table>\n";
  Out.more(Rows.size(), "--json");
  Out << "</div>\n</section>\n";
}

void Page::timeline() {
  Out << "<section id=\"timeline\" aria-labelledby=\"timeline-title\">\n<h2 "
         "id=\"timeline-title\">Timeline</h2>\n<p class=\"hint\">Calls of the "
         "CUDA driver by time of the host. A thread’s lane has its calls, a "
         "stream’s lane those that were made for it: when its work ran on the "
         "device was not recorded. Bars that are paler repeat what was seen "
         "before.</p>\n<noscript><p class=\"notice\">The lanes are drawn by "
         "JavaScript. The tables have the stalls without it.</p></noscript>\n"
         "<div class=\"panel\">\n<div class=\"tools\">\n<div "
         "class=\"find\"><input type=\"search\" id=\"search\" "
         "placeholder=\"Search calls and kernels\" aria-label=\"Search calls "
         "and kernels\"><output id=\"found\" for=\"search\"></output></div>\n"
         "<div class=\"group\" role=\"group\" aria-label=\"Stalls\"><button "
         "type=\"button\" id=\"previous\" aria-label=\"Previous stall\">‹ "
         "Stall</button><button type=\"button\" id=\"next\" aria-label=\"Next "
         "stall\">Stall ›</button></div>\n<div class=\"group\" role=\"group\" "
         "aria-label=\"Zoom\"><button type=\"button\" id=\"zoom-out\" "
         "aria-label=\"Zoom out\">−</button><button type=\"button\" "
         "id=\"zoom-in\" aria-label=\"Zoom in\">+</button><button "
         "type=\"button\" id=\"zoom-all\">All</button></div>\n</div>\n<ul "
         "class=\"legend\" aria-label=\"Colours\">\n";
  for (auto [Class, Name] :
       {std::pair{"stall", "▾ stall"}, std::pair{"load", "load"},
        std::pair{"use", "touch, set"}, std::pair{"launch", "launch, graph"},
        std::pair{"free", "free, unload"}, std::pair{"other", "context, limit"},
        std::pair{"prime", "kplan primes"}, std::pair{"escape", "escape"},
        std::pair{"busy", "stream was busy when asked"}})
    Out << "<li class=\"" << Class << "\"><i></i>" << Name << "</li>\n";
  Out << "</ul>\n";
  for (size_t I = 0; I < In.Sides.size(); ++I) {
    const std::string Number = std::to_string(I);
    Out << "<div class=\"side-title\"><h3>";
    Out.text(In.Sides[I].Label)
        << "</h3><output id=\"range-" << Number << "\"></output></div>\n"
        << "<canvas class=\"overview\" id=\"overview-" << Number
        << "\" aria-hidden=\"true\"></canvas>\n<div class=\"lanes\" id=\"lanes-"
        << Number
        << "\" tabindex=\"0\" role=\"application\" aria-label=\"Timeline, ";
    Out.text(In.Sides[I].Label)
        << ": arrows move, plus and minus zoom, n and p go from stall to "
           "stall, comma and full stop from call to call\"></div>\n";
  }
  Out << "<div class=\"call\" id=\"call\" aria-live=\"polite\"><p>Select a "
         "call "
         "to see what it was.</p></div>\n<details><summary>Keyboard, mouse, "
         "touch</summary>\n<ul class=\"keys\">\n"
         "<li><kbd>←</kbd> <kbd>→</kbd> move; drag does too</li>\n"
         "<li><kbd>+</kbd> <kbd>−</kbd> zoom; so do Ctrl and the wheel, two "
         "fingers, a double click</li>\n<li><kbd>0</kbd> all of it</li>\n"
         "<li><kbd>n</kbd> <kbd>p</kbd> next, previous stall</li>\n"
         "<li><kbd>,</kbd> <kbd>.</kbd> previous, next call of the "
         "thread</li>\n<li><kbd>/</kbd> search; <kbd>Enter</kbd> goes to the "
         "next match</li>\n<li><kbd>Esc</kbd> selects nothing</li>\n"
         "</ul></details>\n</div>\n</section>\n";
}

void Page::stallRow(const Side &S, size_t Number, const StallRow &Row) {
  const Timeline &T = *S.T;
  const Process &P = *Row.In;
  const Call &C = *Row.What;
  Out << "<tr data-side=\"" << std::to_string(Number) << "\" data-begin=\""
      << std::to_string(C.Begin) << "\" data-ns=\""
      << std::to_string(C.Nanoseconds) << "\">";
  Out.cell("number", "Stalled") << formatTime(C.Nanoseconds) << "</td>";
  Out.cell("number", "Began at") << formatTime(C.Begin) << "</td>";
  Out.cell("", "");
  const std::string &Subject = T.Words[C.Subject];
  if (!Subject.empty())
    Out.symbol(Subject, demangle(Subject));
  (Out << "<span class=\"sub name\">").text(T.Words[C.Api]) << "</span></td>";
  Out.cell("", "Thread").text(nameOfThread(P.Threads[C.Thread]));
  if (T.Processes.size() > 1)
    (Out << "<span class=\"sub\">")
            .text(P.programName() + " (" + std::to_string(P.Id) + ")")
        << "</span>";
  if (C.Stream)
    (Out << "<span class=\"sub\">for ").text(nameOfStream(P, C.Stream))
        << "</span>";
  Out << "</td>";
  Out.cell("", "In flight");
  if (C.Behind)
    Out << "<span class=\"sub\">waited behind another thread’s first "
           "use</span>";
  for (uint32_t Busy : C.InFlight) {
    Out.text(nameOfStream(P, Busy));
    if (const Call *Last = P.lastLaunchOn(Busy, C.Begin)) {
      const std::string &Kernel = T.Words[Last->Subject];
      Out << "<span class=\"sub\">last launch there: ";
      Out.name("name", Kernel.empty() ? T.Words[Last->Api] : demangle(Kernel))
          << ", " << formatTime(C.Begin - Last->Begin) << " before</span>";
    }
  }
  Out << "</td>";
  Out.cell("number", "");
  if (C.Escape)
    Out << "<span class=\"tag escape\">escape</span> ";
  Out << "</td></tr>\n";
}

void Page::stallTable(const Side &S, size_t Number) {
  const std::vector<StallRow> Rows = stallsOf(*S.T);
  if (compares())
    (Out << "<h3>").text(S.Label) << "</h3>\n";
  if (Rows.empty()) {
    Out << "<p class=\"more\">No stall was recorded.</p>\n";
    return;
  }
  auto Begin = [&] {
    Out << "<table class=\"stack\"><thead><tr><th scope=\"col\" "
           "class=\"number\">Stalled</th><th scope=\"col\" "
           "class=\"number\">Began at</th><th scope=\"col\">Call</th><th "
           "scope=\"col\">Thread</th><th scope=\"col\">In flight when it "
           "began</th><th scope=\"col\"><span "
           "class=\"unseen\">Links</span></th></tr></thead>\n<tbody>\n";
  };
  Begin();
  for (size_t I = 0; I < Rows.size() && I < MostRows; ++I) {
    if (I == FirstRows) {
      Out << "</tbody></table>\n<details><summary>"
          << std::to_string(std::min(Rows.size(), MostRows) - FirstRows)
          << " shorter ones</summary>\n";
      Begin();
    }
    stallRow(S, Number, Rows[I]);
  }
  Out << "</tbody></table>\n";
  if (Rows.size() > FirstRows)
    Out << "</details>\n";
  Out.more(Rows.size(), "--json");
}

/// Of a plan, where no recording was given.
void Page::tracedStalls() {
  const std::vector<Stall> &Traced = In.ThePlan->Stalls;
  if (Traced.empty()) {
    Out << "<p class=\"more\">The plan has no traced stall.</p>\n";
    return;
  }
  Out << "<table class=\"stack\"><thead><tr><th scope=\"col\" "
         "class=\"number\">Stalled</th><th scope=\"col\">Call</th><th "
         "scope=\"col\">Thread</th><th scope=\"col\">Streams in "
         "flight</th></tr></thead>\n<tbody>\n";
  for (size_t I = 0; I < Traced.size() && I < MostRows; ++I) {
    const Stall &S = Traced[I];
    Out << "<tr>";
    Out.cell("number", "Stalled")
        << formatTime(static_cast<uint64_t>(S.HostMs * 1e6)) << "</td>";
    Out.cell("", "");
    if (!S.KernelSymbol.empty())
      Out.symbol(S.KernelSymbol, demangle(S.KernelSymbol));
    (Out << "<span class=\"sub name\">").text(S.Api) << "</span></td>";
    Out.cell("", "Thread") << std::to_string(S.Thread) << "</td>";
    Out.cell("", "In flight");
    if (auto Streams = S.Extra.find("x-in_flight"); Streams != S.Extra.end())
      Out.text(Streams->second);
    Out << "</td></tr>\n";
  }
  Out << "</tbody></table>\n";
  Out.more(Traced.size(), "the plan");
}

void Page::stalls() {
  Out << "<section id=\"stalls\" aria-labelledby=\"stalls-title\">\n<h2 "
         "id=\"stalls-title\">Stalls</h2>\n<p class=\"hint\">The longest "
         "first. Streams are numbered as they were first launched on; what was "
         "launched there last is what was recorded before the stall, not "
         "necessarily what ran.</p>\n<div class=\"panel\">\n";
  for (size_t I = 0; I < In.Sides.size(); ++I)
    stallTable(In.Sides[I], I);
  if (In.Sides.empty())
    tracedStalls();
  Out << "</div>\n</section>\n";
}

void Page::escapes() {
  Out << "<section id=\"escapes\" aria-labelledby=\"escapes-title\">\n<h2 "
         "id=\"escapes-title\">Escapes</h2>\n<p class=\"hint\">First uses "
         "after the seal: what the plan lacks, whether or not it "
         "waited.</p>\n<div class=\"panel\"><table class=\"stack\"><thead><tr>"
         "<th scope=\"col\">Kind</th><th scope=\"col\">What</th><th "
         "scope=\"col\" class=\"number\">At</th><th scope=\"col\" "
         "class=\"number\">Took</th></tr></thead>\n<tbody>\n";
  size_t Rows = 0;
  for (const Side &S : In.Sides)
    for (const Process &P : S.T->Processes)
      for (const EscapeNote &E : P.Escapes) {
        if (++Rows > MostRows)
          continue;
        Out << "<tr>";
        Out.cell("", "Kind").text(E.What.Kind) << "</td>";
        Out.cell("", "");
        const std::string &What =
            E.What.Symbol.empty() ? E.What.Image : E.What.Symbol;
        if (!What.empty())
          Out.symbol(What, demangle(What));
        (Out << "<span class=\"sub name\">")
                .text(E.What.Api.empty() ? "by a call that is not hooked"
                                         : E.What.Api)
            << "</span></td>";
        Out.cell("number", "At")
            << (E.Begin ? formatTime(*E.Begin) : "not known") << "</td>";
        Out.cell("number", "Took")
            << (E.Begin ? formatTime(E.What.Nanoseconds) : "not known")
            << "</td></tr>\n";
      }
  Out << "</tbody></table>\n";
  Out.more(Rows, "the recording");
  Out << "</div>\n</section>\n";
}

void Page::about() {
  Out << "<section id=\"about\" class=\"about\" "
         "aria-labelledby=\"about-title\">\n<h2 id=\"about-title\">About this "
         "report</h2>\n<ul>\n<li>Everything shown was recorded by kplan’s "
         "hooks "
         "of the CUDA driver in the program’s own process; nothing is "
         "estimated.</li>\n<li>Times are of the host’s CLOCK_MONOTONIC, from "
         "the first recorded moment of each recording. A call’s time is how "
         "long the host was inside it.</li>\n<li>Not recorded: how long "
         "kernels ran on the device, copies, synchronisation, and what waits "
         "on the device alone. A stall of that kind is not listed.</li>\n"
         "<li>“In flight” is what cuStreamQuery answered just before a call "
         "that may be a first use.</li>\n<li>Recording costs microseconds a "
         "call, so that many short calls seem slower than they are "
         "without.</li>\n</ul>\n</section>\n</main>\n<footer "
         "class=\"inner\">kplan " KPLAN_VERSION "</footer>\n";
}

std::string Page::write() {
  head();
  header();
  navigation();
  if (!In.Sides.empty()) {
    summary();
    waits();
    timeline();
  }
  stalls();
  if (Escapes)
    escapes();
  if (In.ThePlan)
    writePlan(Out, *In.ThePlan, In.PlanFile);
  about();
  for (const Side &S : In.Sides)
    Out << "<script type=\"application/json\">" << pageData(*S.T, S.Label)
        << "</script>\n";
  if (!In.Sides.empty())
    Out << "<script>" << Script << "</script>\n";
  Out << "</body>\n</html>\n";
  return Out.take();
}

std::string htmlReport(const ReportInput &In) { return Page(In).write(); }

} // namespace kplan::report
