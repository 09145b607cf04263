/* Primes, says what came of it, and goes on whatever it was. */
#include <kplan/kplan.h>
#include <stdio.h>

int main(void) {
  kplan_report *Report;
  kplan_status Status = kplan_prime(NULL, &Report);
  printf("%s\n%s\n", kplan_status_name(Status), kplan_report_text(Report));
  kplan_report_destroy(Report);
  return 0;
}
