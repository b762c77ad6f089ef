import { ApiProblem } from '../problems/api-problem.ts';

/**
 * Parses a body, once. JSON.parse itself copes with any depth, but whatever walks the value afterwards recursively does
 * not: the depth is limited here, before anything is built.
 */
export function parseJson(text: string, maxDepth: number): unknown {
  if (text === '') return undefined;
  if (isDeeperThan(text, maxDepth))
    throw new ApiProblem({
      status: 400,
      code: 'body_too_deep',
      message: `The body nests arrays and objects deeper than ${maxDepth} levels.`,
      suggestion: 'Flatten it: put the deep part into a string, for instance.',
    });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiProblem({
      status: 400,
      code: 'invalid_json',
      message: `The body is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      suggestion: 'Check it with a JSON validator; comments and trailing commas are not allowed.',
    });
  }
}

/** Each level costs at least two characters, so short bodies need no scan. */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  if (text.length < 2 * maxDepth) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isInString) {
      if (character === BACKSLASH) at++;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (++depth > maxDepth) return true;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth--;
  }
  return false;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
