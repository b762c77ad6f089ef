import type { Store } from '@app/store';

/** How long a count is good for: a fleet adds thousands of executions in that time, and the limit is a guard, not a quota. */
const FRESH_MS = 1_000;
const MOST_REMEMBERED = 1_000;

/** How many executions each tree of calls consists of, as far as this worker must know to stop one that grows without end. */
export class FamilySizes {
  private readonly known = new Map<string, { readonly counted: Promise<number>; added: number; readonly at: number }>();

  constructor(
    private readonly store: Pick<Store, 'countFamily'>,
    private readonly most: number,
  ) {}

  /** Whether so many more calls keep the family within its limit; they count from here on. */
  async admits(rootId: string, calls: number): Promise<boolean> {
    let family = this.known.get(rootId);
    if (!family || performance.now() - family.at > FRESH_MS) {
      family = { counted: this.store.countFamily(rootId, this.most + 1), added: 0, at: performance.now() };
      if (this.known.size >= MOST_REMEMBERED) this.known.clear();
      this.known.set(rootId, family);
    }
    const counted = await family.counted.catch((error: unknown) => {
      this.known.delete(rootId);
      throw error;
    });
    if (counted + family.added + calls > this.most) return false;
    family.added += calls;
    return true;
  }
}
