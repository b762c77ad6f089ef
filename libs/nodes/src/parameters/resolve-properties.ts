import type { Json, JsonObject, NodeDescription, PropertyDescription } from '@app/engine';
import { isExpression, isList, isRecord } from '../values/guards.ts';
import { isDisplayed, type KeyReader } from './display-options.ts';

export interface ParameterizedNode {
  readonly version: number;
  readonly parameters: JsonObject;
}

export interface MissingParameter {
  readonly property: string;
  readonly message: string;
}

type Group = { readonly name: string; readonly values: readonly PropertyDescription[] };

/**
 * The parameters a node runs with: those its description shows, with defaults where nothing was given. What the
 * description does not know or does not show is dropped. Expressions are kept as they are.
 */
export function normaliseParameters(description: NodeDescription, node: ParameterizedNode): JsonObject {
  const root = rootLevel(description, node);
  return resolveLevel(root, true);
}

/** Required parameters that are shown and empty. Expressions count as given. */
export function missingRequired(description: NodeDescription, node: ParameterizedNode): MissingParameter[] {
  const found: MissingParameter[] = [];
  collectMissing(rootLevel(description, node), '', found);
  return found;
}

/** One object of parameters together with the properties that describe it. */
interface Level {
  readonly properties: readonly PropertyDescription[];
  readonly given: JsonObject;
  readonly read: KeyReader;
  readonly version: number;
  readonly root: KeyReader | null;
}

function level(
  properties: readonly PropertyDescription[],
  given: JsonObject,
  version: number,
  root: KeyReader | null,
): Level {
  const open = new Set<string>();
  const siblings: KeyReader = (key) => {
    if (Object.hasOwn(given, key) && given[key] !== undefined) return given[key];
    // A property whose own display depends on itself has no value while it is being looked up.
    if (open.has(key)) return undefined;
    open.add(key);
    const property = properties.find((each) => each.name === key && isDisplayed(each.displayOptions, read));
    open.delete(key);
    return property?.default;
  };
  const read: KeyReader = (key) => {
    if (key === '@version') return version;
    if (key.startsWith('/')) return at((root ?? siblings)(firstPart(key)), key);
    return at(siblings(firstPart(key)), key);
  };
  return { properties, given, read, version, root: root ?? siblings };
}

const firstPart = (key: string): string => key.replace(/^\//, '').split('.')[0]!;

/** Follows the rest of a dotted key such as `options.mode`. */
function at(value: Json, key: string): Json {
  let result = value;
  for (const part of key.split('.').slice(1)) result = isRecord(result) ? result[part] : undefined;
  return result;
}

const rootLevel = (description: NodeDescription, node: ParameterizedNode): Level =>
  level(description.properties, node.parameters, node.version, null);

const shown = (scope: Level): PropertyDescription[] =>
  scope.properties.filter((property) => isDisplayed(property.displayOptions, scope.read));

function resolveLevel(scope: Level, withDefaults: boolean): JsonObject {
  const resolved: JsonObject = {};
  for (const property of shown(scope)) {
    const value = scope.given[property.name];
    if (value === undefined) {
      if (withDefaults && !Object.hasOwn(resolved, property.name)) resolved[property.name] = property.default;
    } else resolved[property.name] = resolveValue(property, value, scope);
  }
  return resolved;
}

function resolveValue(property: PropertyDescription, value: Json, scope: Level): Json {
  if (!isRecord(value)) return value;
  if (property.type === 'collection') {
    if (property.typeOptions?.multipleValues === true) return value;
    return resolveLevel(level(membersOf(property), value, scope.version, scope.root), false);
  }
  return property.type === 'fixedCollection' ? resolveGroups(property, value, scope) : value;
}

function resolveGroups(property: PropertyDescription, value: JsonObject, scope: Level): JsonObject {
  const resolved: JsonObject = {};
  for (const group of groupsOf(property)) {
    const content = value[group.name];
    const entry = (each: Json): Json =>
      isRecord(each) ? resolveLevel(level(group.values, each, scope.version, scope.root), true) : each;
    if (content !== undefined) resolved[group.name] = isList(content) ? content.map(entry) : entry(content);
  }
  return resolved;
}

function collectMissing(scope: Level, path: string, found: MissingParameter[]): void {
  for (const property of shown(scope)) {
    const value = scope.given[property.name] ?? (path === '' ? property.default : undefined);
    const name = `${path}${property.name}`;
    if (property.required === true && isEmpty(value)) {
      found.push({ property: name, message: `Parameter "${name}" is required.` });
    }
    if (property.type !== 'fixedCollection' || !isRecord(value)) continue;
    for (const group of groupsOf(property)) {
      const content = value[group.name];
      (isList(content) ? content : [content]).forEach((entry, index) => {
        if (!isRecord(entry)) return;
        const inner = `${name}.${group.name}${isList(content) ? `[${index}]` : ''}.`;
        collectMissing(level(group.values, withDefaults(group, entry), scope.version, scope.root), inner, found);
      });
    }
  }
}

const withDefaults = (group: Group, entry: JsonObject): JsonObject => ({
  ...Object.fromEntries(group.values.map((property) => [property.name, property.default])),
  ...entry,
});

function isEmpty(value: Json): boolean {
  if (isExpression(value)) return false;
  if (isRecord(value) && value['__rl'] === true) return isEmpty(value['value']);
  return value === undefined || value === null || value === '' || (isList(value) && value.length === 0);
}

const membersOf = (property: PropertyDescription): readonly PropertyDescription[] =>
  (property.options ?? []).filter((option): option is PropertyDescription => 'type' in option);

const groupsOf = (property: PropertyDescription): readonly Group[] =>
  (property.options ?? []).filter((option): option is Group => 'values' in option);
