/** Violations beyond this many say nothing new. */
const mostKept = 30;

/** What a scenario has found so far. */
export class Verdict {
  readonly violations: string[] = [];
  readonly faults: { [fault: string]: number } = {};

  expect(holds: boolean, otherwise: string): void {
    if (!holds && this.violations.length < mostKept && !this.violations.includes(otherwise)) this.violations.push(otherwise);
  }

  add(violations: readonly string[]): void {
    for (const violation of violations) this.expect(false, violation);
  }

  /** Notes how often a fault struck. An experiment whose fault did not strike has shown nothing, so it fails. */
  struck(fault: string, count: number, atLeast = 1): void {
    this.faults[fault] = count;
    this.expect(count >= atLeast, `The fault did not strike: ${fault} ${count} times instead of at least ${atLeast}.`);
  }
}
