/** Up to three known names that a mistyped one may have meant, best first. */
export function nearMatches(name: string, known: readonly string[]): string[] {
  const wanted = lastPart(name);
  return known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, lastPart(candidate)) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const substitution = previous[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution));
    }
    previous = current;
  }
  return previous[right.length]!;
}
