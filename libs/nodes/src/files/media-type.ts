/** `text/plain; charset=utf-8` → `text/plain`. */
export const bareMediaType = (header: string): string => header.split(';')[0]!.trim().toLowerCase();

export const isJson = (mediaType: string): boolean => /(^application\/json$|\+json$)/.test(mediaType);

const documents = new Set([
  'application/octet-stream',
  'application/gzip',
  'application/zip',
  'application/x-7z-compressed',
  'application/x-tar',
  'application/vnd.rar',
  'application/pdf',
  'application/msword',
  'application/postscript',
  'application/epub+zip',
]);

/** Whether an answer of this type is kept as a file unless something else was asked for. */
export const isFile = (mediaType: string): boolean =>
  /^(image|audio|video|font)\//.test(mediaType) ||
  documents.has(mediaType) ||
  /^application\/vnd\.(ms-|openxmlformats|oasis)/.test(mediaType);

const extensions: { readonly [mediaType: string]: string } = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
  'application/octet-stream': 'bin',
};

export const extensionOf = (mediaType: string): string | undefined => extensions[mediaType];

/** The coarse kind shown beside a file. */
export function fileTypeOf(mediaType: string): string | undefined {
  if (isJson(mediaType)) return 'json';
  if (mediaType === 'text/html') return 'html';
  if (mediaType === 'application/pdf') return 'pdf';
  return /^(image|audio|video|text)\//.exec(mediaType)?.[1];
}
