import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { Profile } from '../../domain/network/profile.js';
import { absolutePaths, parametersOf, type Route, statusOf } from '../../wire/route.js';
import { rawMark } from '../../wire/json/raw-mark.js';
import { requiredInReply, requiredInRequest } from '../../wire/json/required-mark.js';

/** The content of a page in HTML. Its links are relative to the root of the node. */
export interface PageContent {
  readonly title: string;
  readonly header: string;
  readonly main: string;
}

interface OfNetwork {
  /** The profile of the node's network. */
  readonly profile?: Profile | undefined;
}

/** Renders the route table as a page without scripts: the routes, their fields, and their responses. */
export function describeAsPage(
  table: Readonly<Record<string, Route>>,
  { node, version, profile }: { readonly node: string; readonly version: string } & OfNetwork,
): PageContent {
  const header = `<h1>${escape(node)}</h1>
<p>Parley ${escape(version)} · ${linkTo('/api/openapi.json', 'openapi.json')} · ${linkTo('/metrics', 'metrics')} ·
${linkTo('/api/v1/status', 'status')}</p>
<p>Every path is also there without <code>/namespaces/{ns}</code>, for the default namespace. Errors are
<code>{"error":"CODE: what was expected, what came, what to do"}</code>.</p>`;
  const stream = `<section>
<h2><b class="get">WS</b>
<code>/ws?namespace=default&amp;ephemeral&amp;autoack&amp;filter.events=message_confirmed</code></h2>
<p>Events as they happen, in order. Without <code>autoack</code> answer each with
<code>{"type":"ack","id":"…"}</code>. Filters are RE2 expressions: <code>filter.events</code>,
<code>filter.topics</code>, <code>filter.message.tag</code>, <code>filter.message.author</code>.</p>
</section>`;
  return { title: `${node} · API`, header, main: `${describeRoutes(table, profile)}\n${stream}` };
}

/** Renders a contract API in the same way: its methods, queries and listeners. */
export function describeContract(
  table: Readonly<Record<string, Route>>,
  {
    title,
    about,
    document,
    profile,
  }: { readonly title: string; readonly about: string; readonly document: string } & OfNetwork,
): PageContent {
  const header = `<h1>${escape(title)}</h1>
<p>${escape(about)}</p>
<p>${linkTo(document, 'openapi.json')} · ${linkTo('/api', 'the API of the node')}</p>`;
  return { title, header, main: describeRoutes(table, profile) };
}

/** Renders a link to a path of the node. */
export function linkTo(path: string, text: string): string {
  return `<a href="${escape(path.replace(/^\//, ''))}">${escape(text)}</a>`;
}

/** Renders a page. `root` is the path of the node's root, relative to the page. */
export function htmlOf({ title, header, main }: PageContent, root: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<base href="${root}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${style}</style>
<header>
${header}
</header>
<main>
${main}
</main>
</html>
`;
}

function describeRoutes(table: Readonly<Record<string, Route>>, profile: Profile | undefined): string {
  return Object.values(table)
    .map((route) => describeRoute(route, profile))
    .join('\n');
}

function describeRoute(route: Route, profile: Profile | undefined): string {
  const inRequest: RequiredOf = (schema) => requiredInRequest(schema, profile);
  const reply = `${statusOf(route, profile)} ${route.isList === true ? 'an array of' : ''}`;
  const [path = ''] = absolutePaths(route.path);
  const also = (route.also ?? []).map((other) => `<p>Also <code>${escape(absolutePaths(other)[0] ?? '')}</code></p>`);
  const parameters = parametersOf(route);
  return `<section>
<h2><b class="${route.method}">${route.method.toUpperCase()}</b> <code>${escape(path)}</code></h2>
<p>${escape(route.summary)}</p>
${also.join('\n')}
${parameters.length === 0 ? '' : `<p>Query: ${parameters.map((name) => `<code>${escape(name)}</code>`).join(' ')}</p>`}
${route.body === undefined ? '' : describePart('Request body', describeSchema(route.body, inRequest), 'open')}
${describePart(reply, describeSchema(route.reply), '')}
</section>`;
}

function describePart(title: string, schema: string, open: 'open' | ''): string {
  return `<details ${open}><summary>${escape(title)}</summary><pre>${schema}</pre></details>`;
}

/** Returns the members of an object that have no `?`. */
type RequiredOf = (schema: TObject) => readonly string[];

/** Renders a schema in the style of the JSON that it describes. */
function describeSchema(schema: TSchema, requiredOf: RequiredOf = requiredInReply, indent = ''): string {
  if (schema[rawMark] === true) return note('any JSON, kept byte for byte');
  if (TypeGuard.IsArray(schema)) return `[ ${describeSchema(schema.items, requiredOf, indent)} … ]`;
  if (TypeGuard.IsObject(schema)) {
    const required = new Set(requiredOf(schema));
    const inner = `${indent}  `;
    const members = Object.entries(schema.properties).map(([name, member]) => {
      return `${inner}"${escape(name)}"${required.has(name) ? '' : '?'}: ${describeSchema(member, requiredOf, inner)}`;
    });
    return `{\n${members.join('\n')}\n${indent}}`;
  }
  const choices = Array.isArray(schema.enum) ? schema.enum.join(' | ') : undefined;
  return `${escape(choices ?? String(schema.type ?? schema.const ?? 'any'))} ${note(schema.description ?? '')}`;
}

function note(text: string): string {
  return text === '' ? '' : `<i>${escape(text)}</i>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const style = `
:root { color-scheme: light dark; --line: #8884; --dim: #777; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; }
section { border-top: 1px solid var(--line); padding: .5rem 0; }
h2 { font-size: 1rem; margin: .5rem 0; overflow-wrap: anywhere; }
h2 b { display: inline-block; min-width: 3.5rem; text-align: center; border-radius: 4px; }
h2 b { color: #fff; font-size: .8rem; }
b.get { background: #2a6fb5; } b.post { background: #2f855a; }
b.put { background: #b7791f; } b.delete { background: #c53030; }
i, summary { color: var(--dim); }
`;
