import type { Item, Json, JsonObject } from '@app/engine';
import { AuthorPattern } from '../author-pattern.ts';
import { describeNode } from '../description.ts';
import { eachItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { entries, flag, number, settings, text } from '../parameters/properties.ts';
import { isList, isRecord } from '../values/guards.ts';
import { readPath, removePath, writePath } from '../values/path.ts';

/** Gives fields other names, one by one or by pattern. */
export const renameKeys: NodeType = {
  description: describeNode({
    name: 'renameKeys',
    displayName: 'Rename Keys',
    properties: [
      entries('keys', 'key', [text('currentKey'), text('newKey')]),
      settings(
        [
          entries('regexReplacement', 'replacements', [
            text('searchRegex'),
            text('replaceRegex'),
            settings([flag('caseInsensitive', false), number('depth', -1)]),
          ]),
        ],
        { name: 'additionalOptions' },
      ),
    ],
  }),
  run: (context) => emit(eachItem(context, context.items(), (item, index) => renamed(context, item, index))),
};

function renamed(context: NodeContext, item: Item, index: number): Item {
  let json: JsonObject = { ...item.json };
  for (const { currentKey, newKey } of listOf(context.parameter<Json>('keys.key', index, []))) {
    const [from, to] = [String(currentKey ?? ''), String(newKey ?? '')];
    const value = readPath(json, from);
    if (from === '' || to === '' || from === to || value === undefined) continue;
    removePath(json, from);
    writePath(json, to, value);
  }
  for (const rule of listOf(context.parameter<Json>('additionalOptions.regexReplacement.replacements', index, []))) {
    const options = isRecord(rule['options']) ? rule['options'] : {};
    const pattern = new AuthorPattern(String(rule['searchRegex'] ?? ''), options['caseInsensitive'] === true ? 'i' : '');
    json = renamedByPattern(json, pattern, String(rule['replaceRegex'] ?? ''), Number(options['depth'] ?? -1)) as JsonObject;
  }
  return { ...item, json, pairedItem: { item: index } };
}

/** `depth` 0 stays on the top level, -1 goes all the way down. Renamed keys move to the end. */
function renamedByPattern(value: Json, pattern: AuthorPattern, replacement: string, depth: number): Json {
  if (isList(value)) return value.map((each) => renamedByPattern(each, pattern, replacement, depth));
  if (!isRecord(value)) return value;
  const [kept, moved]: [JsonObject, JsonObject] = [{}, {}];
  for (const [key, each] of Object.entries(value)) {
    const inner = depth === 0 ? each : renamedByPattern(each, pattern, replacement, depth - 1);
    const name = pattern.replace(key, replacement);
    (name === key ? kept : moved)[name] = inner;
  }
  return { ...kept, ...moved };
}

const listOf = (value: Json): JsonObject[] => (isList(value) ? value.filter(isRecord) : []);
