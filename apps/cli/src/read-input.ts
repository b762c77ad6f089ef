import { readFile } from 'node:fs/promises';
import { BadUse } from './failures.ts';

/** Reads a workflow document. */
export async function readDocument(file: string): Promise<Record<string, unknown>> {
  const document = parse(await read(file), file);
  if (!isObject(document)) throw new BadUse(`${file} holds no workflow: it must be a JSON object with nodes and connections.`, 'Export the workflow again.');
  return document;
}

/**
 * Start items: JSON text, or `@file`, or `-` for standard input. Items as n8n writes them ({json: …}), or plain objects
 * that become the json of an item each.
 */
export async function readItems(input: string): Promise<object[]> {
  const text = input === '-' ? await readStandardInput() : input.startsWith('@') ? await read(input.slice(1)) : input;
  const value = parse(text, input === '-' ? 'Standard input' : input.startsWith('@') ? input.slice(1) : '--input');
  const list = Array.isArray(value) ? value : [value];
  const wrong = list.findIndex((entry) => !isObject(entry));
  if (wrong >= 0) throw new BadUse(`Item ${wrong} of the input is no object.`, 'Give a list of objects, for instance --input \'[{"name":"Ada"}]\'.');
  return list.map((entry) => (isObject(entry['json']) ? entry : { json: entry }));
}

async function read(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BadUse(`${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`, 'Check the path.');
  });
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new BadUse(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}.`, 'Check it with a JSON validator.');
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
