/** A random order that is the same for the same seed, so that a retried run repeats it. */
export function shuffled<T>(input: readonly T[], seed: string): T[] {
  const random = generator(hashOf(seed));
  const output = [...input];
  for (let last = output.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [output[last], output[other]] = [output[other]!, output[last]!];
  }
  return output;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** A Weyl sequence through a 32-bit mixer: even enough for shuffling, not for secrets. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
