// Wrong arguments are told apart from failures, and null is taken where the
// header says so.
//
// RUN: %cc -std=c99 -Wall -Wextra -Werror %host_flags %s %link_host -o %t
// RUN: %t

#undef NDEBUG
#include <assert.h>
#include <kplan/kplan.h>
#include <string.h>

int main(void) {
  kplan_options Options = KPLAN_OPTIONS_INIT;
  kplan_report *Report = NULL;
  size_t Count = 7;

  Options.size = 8;
  assert(kplan_prime(&Options, &Report) == KPLAN_ERROR_INVALID_VALUE);
  assert(Report && strstr(kplan_report_text(Report), "KPLAN_OPTIONS_INIT"));
  assert(kplan_report_count(Report, KPLAN_COUNT_WARNINGS) == 1);
  assert(kplan_report_message(Report, 0) && !kplan_report_message(Report, 1));
  kplan_report_destroy(Report);

  Options.size = sizeof(Options) + 100; /* A caller with a newer header. */
  Options.device = -2;
  assert(kplan_prime(&Options, NULL) == KPLAN_ERROR_INVALID_VALUE);

  assert(kplan_escapes(NULL, 1, &Count) == KPLAN_ERROR_INVALID_VALUE);
  assert(kplan_escapes(NULL, 0, NULL) == KPLAN_ERROR_INVALID_VALUE);
  assert(kplan_escapes(NULL, 0, &Count) == KPLAN_OK && Count == 0);

  assert(kplan_report_count(NULL, KPLAN_COUNT_MISSING) == 0);
  assert(kplan_report_milliseconds(NULL) == 0);
  assert(!kplan_report_message(NULL, 0));
  assert(!strcmp(kplan_report_text(NULL), ""));
  kplan_report_destroy(NULL);

  assert(!strcmp(kplan_status_name(KPLAN_ERROR_INTERNAL),
                 "KPLAN_ERROR_INTERNAL"));
  assert(!strcmp(kplan_status_name((kplan_status)99), "unknown kplan_status"));
  assert(!strcmp(kplan_version(), "0.1.0"));
  return 0;
}
