import { parseArgs } from 'node:util';
import type { ApiClient } from './api-client.ts';
import { BadUse } from './failures.ts';
import type { FleetStarter } from './fleet-starter.ts';
import type { StoreOpener } from './store-opener.ts';
import type { Terminal } from './terminal.ts';

/** What commands work with. */
export interface CliKit {
  readonly terminal: Terminal;
  readonly api: ApiClient;
  /** ARGOSY_URL was given: that API is meant and no other. */
  readonly isUrlGiven: boolean;
  readonly fleet: FleetStarter;
  readonly openStore: StoreOpener;
  readonly examplesFolder: string;
  readonly version: string;
  /** Aborted when the user has had enough. Before the first call Ctrl-C simply ends the process; afterwards the command does. */
  stopSignal(): AbortSignal;
}

export interface Option {
  readonly type: 'string' | 'boolean';
  /** For the help. */
  readonly about: string;
}

export type Options = { readonly [name: string]: Option };

/** One command: what is typed, what it is for, what it does. Resolves to the exit code. */
export interface Command {
  /** As typed, for instance `execution show`. */
  readonly name: string;
  /** Positional arguments, for the help: `ID`, `FILE...`. */
  readonly operands: string;
  readonly about: string;
  readonly options: Options;
  /** Least and most positional arguments. */
  readonly count: readonly [number, number];
  run(call: Call): Promise<number>;
}

export interface Call {
  readonly kit: CliKit;
  readonly operands: readonly string[];
  text(option: string): string | undefined;
  flag(option: string): boolean;
  /** A whole number of at least 1. */
  number(option: string): number | undefined;
}

export const jsonOption: Options = { json: { type: 'boolean', about: 'Prints JSON, for programs.' } };

export const inputOption: Options = { input: { type: 'string', about: 'Items for the start node: a JSON list of objects, or @FILE with one. Default: one empty item.' } };

export const schedulingOption: Options = { scheduling: { type: 'string', about: 'auto, serial or parallel, instead of what the workflow says.' } };

/** Reads the rest of a command line by what the command takes. Throws BadUse. */
export function callOf(command: Command, args: readonly string[], kit: CliKit): Call {
  const { values, positionals } = parsed(command, args);
  const [least, most] = command.count;
  if (positionals.length < least) throw new BadUse(`"argosy ${command.name}" needs ${command.operands}.`, `argosy ${command.name} --help says more.`);
  if (positionals.length > most) throw new BadUse(`"argosy ${command.name}" does not take "${positionals[most]}".`, `argosy ${command.name} --help says more.`);
  const text = (option: string) => (typeof values[option] === 'string' ? values[option] : undefined);
  return {
    kit,
    operands: positionals,
    text,
    flag: (option) => values[option] === true,
    number: (option) => wholeNumber(option, text(option)),
  };
}

function parsed(command: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: command.options, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new BadUse(`${sentence.replace(/\.$/, '')}.`, `argosy ${command.name} --help says what it takes.`);
  }
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new BadUse(`--${option} must be a whole number of at least 1, not "${text}".`);
}

export function oneOf<T extends string>(option: string, text: string | undefined, choices: readonly T[]): T | undefined {
  if (text === undefined || choices.includes(text as T)) return text as T | undefined;
  throw new BadUse(`--${option} must be ${choices.join(', ')}; not "${text}".`);
}
