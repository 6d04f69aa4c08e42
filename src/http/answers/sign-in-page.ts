import type { Context } from 'koa';

/** Whether a browser shows the response as a page, so that a person reads it. Programs do not name HTML. */
export function asksForPage(ctx: Context): boolean {
  return ctx.get('Accept').includes('text/html');
}

/**
 * Sends the page that a browser shows when no valid credentials were entered. It is the same for every path, so that it
 * reveals nothing.
 */
export function sendSignInPage(ctx: Context): void {
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'text/html';
  ctx.body = page;
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Credentials required</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.25rem; }
</style>
<h1>Credentials required</h1>
<p>Without a valid user name and password this address shows nothing.
Reload the page: the browser then asks for them.</p>
<p>For the node of a party, they are the name of the party and its token.
<code>stack open PARTY --print</code> names the file of the token.</p>
</html>
`;
