import type { BinaryValue, Item } from '@app/engine';

/** The files of all items under one roof; a name that is taken gets `_1`, `_2`, … With `unique`, equal files once. */
export function collectedFiles(items: readonly Item[], unique: boolean): { [key: string]: BinaryValue } {
  const files: { [key: string]: BinaryValue } = {};
  const seen = new Set<string>();
  for (const { binary } of items) {
    for (const [name, file] of Object.entries(binary ?? {})) {
      const identity = [file.mimeType, file.fileName, file.fileExtension, file.id ?? file.data].join('\n');
      if (unique && seen.has(identity)) continue;
      seen.add(identity);
      files[freeName(name, files)] = file;
    }
  }
  return files;
}

function freeName(name: string, taken: { readonly [key: string]: unknown }): string {
  if (!Object.hasOwn(taken, name)) return name;
  let number = 1;
  while (Object.hasOwn(taken, `${name}_${number}`)) number++;
  return `${name}_${number}`;
}
