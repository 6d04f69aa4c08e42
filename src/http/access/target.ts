import type { IncomingMessage } from 'node:http';

/**
 * Collapses repeated slashes in the path of a request, since clients join a base that ends with a slash and a path that
 * begins with one. It runs before every check, so that all of them see the path that is served.
 */
export function joinSlashes(request: IncomingMessage): void {
  const { url } = request;
  if (url?.includes('//') !== true || !url.startsWith('/')) return;
  const end = url.indexOf('?');
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  request.url = path.replaceAll(/\/{2,}/g, '/') + query;
}
