/* Each pattern repeats one class of signs at a time, between signs outside it: the cost grows with the text, not faster. */

const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
const DOMAIN = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+\\p{L}[\\p{L}\\p{N}-]{1,62}$`, 'u');
const URL_PARTS = /^(https?|ftp|file):\/\/([^/?#\s]*)([^?#\s]*)(\?[^#\s]*)?(#\S*)?$/i;

export function isDomain(text: string): boolean {
  return text.length <= 253 && DOMAIN.test(text);
}

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && at <= 64 && isLocalPart(text.slice(0, at)) && isDomain(text.slice(at + 1));
}

function isLocalPart(text: string): boolean {
  return /^[\w.!#$%&'*+/=?^`{|}~\-\u0080-\uffff]+$/.test(text) && !text.startsWith('.') && !text.endsWith('.') && !text.includes('..');
}

export function isUrl(text: string): boolean {
  const parts = URL_PARTS.exec(text);
  return parts !== null && parts[1]!.toLowerCase() !== 'file' && hostOf(parts[2]!) !== '';
}

export function extractEmail(text: string): string | undefined {
  for (const word of text.split(/[\s<>()[\]{},;:"']/)) {
    const trimmed = trimDots(word);
    if (trimmed.includes('@') && isEmail(trimmed)) return trimmed;
  }
  return undefined;
}

export function extractUrl(text: string): string | undefined {
  for (const word of text.split(/[\s<>"'`]/)) {
    const start = word.search(/(?:https?|ftp|file):\/\//i);
    if (start === -1) continue;
    const url = word.slice(start).replace(/[.,;:!?)\]}]{1,20}$/, '');
    if (URL_PARTS.test(url)) return url;
  }
  return undefined;
}

export function extractDomain(text: string): string | undefined {
  const whole = text.trim();
  const email = isEmail(whole) ? whole : undefined;
  if (email) return email.slice(email.lastIndexOf('@') + 1);
  const url = extractUrl(whole);
  if (url) return hostOf(URL_PARTS.exec(url)?.[2] ?? '') || undefined;
  const inText = extractEmail(whole);
  if (inText) return inText.slice(inText.lastIndexOf('@') + 1);
  for (const word of whole.split(/[\s<>()[\]{},;"']/)) {
    const host = trimDots(word.split(/[/?#:]/)[0] ?? '');
    if (isDomain(host)) return host;
  }
  return undefined;
}

export function extractUrlPath(text: string): string | undefined {
  const url = extractUrl(text);
  const parts = url === undefined ? null : URL_PARTS.exec(url);
  return parts ? parts[3] || '/' : undefined;
}

function hostOf(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.replace(/:\d{0,5}$/, '');
}

function trimDots(word: string): string {
  return word.replace(/^[.!?]{1,20}/, '').replace(/[.!?]{1,20}$/, '');
}
