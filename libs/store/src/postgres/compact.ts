import type { ActivationKey, Firing, InputToken, OutputRef, PortOutput, Token } from '@app/engine';

/**
 * References as short JSON arrays: they stand in every activation and every run, and as objects they would weigh more
 * than the items of a small workflow.
 */
type CompactRef = readonly [scope: string, node: number, seq: number, port: number, count: number, restamp?: number | null, execution?: string];
type CompactOrigin = readonly [scope: string, node: number, seq: number, port: number];
/** `from` is 1 when it names the run and the port of the reference, as it nearly always does. */
type CompactToken = readonly [edge: number, ref: CompactRef | 0, from: CompactOrigin | 0 | 1];
/** `list` is 0 for a bare control signal: it counts items and has none. */
type CompactOutput = readonly [port: number, count: number, ref?: CompactRef | 0, list?: string | 0, entries?: number];

export type Origin = (ActivationKey & { readonly port: number }) | null;

export function packRef(ref: OutputRef): CompactRef {
  const { scope, node, seq, port, count, restamp, execution } = ref;
  if (execution !== undefined) return [scope, node, seq, port, count, restamp ?? null, execution];
  return restamp === undefined ? [scope, node, seq, port, count] : [scope, node, seq, port, count, restamp];
}

export function unpackRef([scope, node, seq, port, count, restamp, execution]: CompactRef): OutputRef {
  return { ...(execution !== undefined && { execution }), scope, node, seq, port, count, ...(restamp != null && { restamp }) };
}

export function packOrigin(from: Origin): CompactOrigin | 0 {
  return from ? [from.scope, from.node, from.seq, from.port] : 0;
}

export function unpackOrigin(from: CompactOrigin | 0): Origin {
  return from === 0 ? null : { scope: from[0], node: from[1], seq: from[2], port: from[3] };
}

export function packToken({ edge, ref, from }: InputToken): CompactToken {
  const same = ref && from && ref.execution === undefined && ref.node === from.node && ref.seq === from.seq && ref.port === from.port && ref.scope === from.scope;
  return [edge, ref ? packRef(ref) : 0, same ? 1 : packOrigin(from)];
}

export function unpackToken([edge, packed, from]: CompactToken): InputToken {
  const ref = packed === 0 ? null : unpackRef(packed);
  if (from !== 1) return { edge, ref, from: unpackOrigin(from) };
  const { scope, node, seq, port } = ref!;
  return { edge, ref, from: { scope, node, seq, port } };
}

/** A token in a slot; in a latch with what its node held. */
export function packHeld(token: Token): string {
  const { tally } = token;
  return JSON.stringify(tally ? [...packToken(token), tally.tokens, tally.live] : packToken(token));
}

export function unpackHeld(text: string): InputToken & Pick<Token, 'tally'> {
  const [edge, ref, from, tokens, live] = JSON.parse(text) as [...CompactToken, number?, number?];
  return { ...unpackToken([edge, ref, from]), ...(tokens !== undefined && { tally: { tokens, live: live! } }) };
}

export const packInputs = (inputs: Firing['inputs']): string => JSON.stringify(inputs.map((input) => input && packToken(input)));

export const unpackInputs = (text: string): Firing['inputs'] => (JSON.parse(text) as (CompactToken | null)[]).map((token) => token && unpackToken(token));

/** What a run sent out, without the items. null: nothing. */
export function packOutputs(outputs: readonly PortOutput[]): string | null {
  if (outputs.length === 0) return null;
  return JSON.stringify(
    outputs.map(({ port, count, ref, list, entries, items }): CompactOutput => {
      if (list !== undefined) return entries === undefined ? [port, count, 0, list] : [port, count, 0, list, entries];
      if (ref) return [port, count, packRef(ref)];
      return items || count === 0 ? [port, count] : [port, count, 0, 0];
    }),
  );
}

export function unpackOutputs(text: string | null): Omit<PortOutput, 'items'>[] {
  if (text === null) return [];
  return (JSON.parse(text) as CompactOutput[]).map(([port, count, ref, list, entries]) => ({ port, count, ...(ref && { ref: unpackRef(ref) }), ...(typeof list === 'string' && { list }), ...(entries !== undefined && { entries }) }));
}

/** Ports whose items the run wrote itself, in the order in which they lie in its payload. */
export function writtenPorts(text: string | null): number[] {
  if (text === null) return [];
  return (JSON.parse(text) as CompactOutput[]).filter(([, count, ref, list]) => count > 0 && !ref && list === undefined).map(([port]) => port);
}

export const packFiring = ({ scope, node, inputs, cause, phase, arguments: args }: Firing): string =>
  JSON.stringify([scope, node, inputs.map((input) => input && packToken(input)), cause, phase ?? null, ...(args === undefined ? [] : [args])]);

export function unpackFiring(text: string): Firing {
  const [scope, node, inputs, cause, phase, args] = JSON.parse(text) as [string, number, (CompactToken | null)[], Firing['cause'], Firing['phase'] | null, Firing['arguments']];
  return { scope, node, inputs: inputs.map((token) => token && unpackToken(token)), cause, ...(phase && { phase }), ...(args !== undefined && { arguments: args }) };
}
