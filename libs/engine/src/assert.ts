/** For the default branch of a switch over a closed union: a new member is a type error here. */
export function assertNever(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}
