/**
 * A table that V8 cannot enlarge ends the whole process instead of the isolate: that allocation is outside what
 * isolated-vm can catch. So maps and sets are kept from growing that far. About 40 bytes an entry, and twice that while
 * the table grows.
 */
const ENTRIES_PER_MB = 5_000;

export function limitCollections(memoryMb: number): void {
  const most = memoryMb * ENTRIES_PER_MB;
  const { set } = Map.prototype;
  const { add } = Set.prototype;
  replaceMethod(Map.prototype, 'set', function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    if (this.size >= most) throw new RangeError(`A Map cannot hold more than ${most} entries here`);
    return set.call(this, key, value);
  });
  replaceMethod(Set.prototype, 'add', function (this: Set<unknown>, value: unknown) {
    if (this.size >= most) throw new RangeError(`A Set cannot hold more than ${most} values here`);
    return add.call(this, value);
  });
}

function replaceMethod(prototype: object, name: string, value: unknown): void {
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
}
