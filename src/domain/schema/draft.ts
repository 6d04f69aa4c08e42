import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SchemaFault } from './fault.js';
import { formats } from './format.js';
import { canonicalText, type JsonObject, memberOf } from './json.js';

/** The supported drafts of JSON Schema (docs/protocol.md §10.1). */
export type Draft = 'draft-07' | '2019-09' | '2020-12';

const metaSchemas: Readonly<Record<Draft, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

const drafts: Readonly<Record<string, Draft>> = {
  'json-schema.org/draft-06/schema': 'draft-07',
  'json-schema.org/draft-07/schema': 'draft-07',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft/2020-12/schema': '2020-12',
};

/** The draft named by `$schema`; the newest if it is absent. @throws SchemaFault for any other */
export function draftOf(schema: JsonObject): Draft {
  const given = memberOf(schema, '$schema');
  if (given === undefined) return '2020-12';
  const name = typeof given === 'string' ? /^https?:\/\/(.*?)#?$/.exec(given)?.[1] : undefined;
  const draft = name !== undefined && Object.hasOwn(drafts, name) ? drafts[name] : undefined;
  if (draft !== undefined) return draft;
  throw new SchemaFault('its "$schema" is none of draft-06, draft-07, 2019-09 and 2020-12');
}

/** Validates a schema against the meta-schema of its draft. */
export type CheckSchema = (draft: Draft, schema: JsonObject) => void;

/** Cached for the process: compiling a meta-schema takes tens of milliseconds and always has the same result. */
const checkers = new Map<Draft, Ajv>();

/** Creates a check that compiles meta-schemas on first use. It throws SchemaFault. */
export function createCheckSchema(): CheckSchema {
  return (draft, schema) => {
    const checker = checkers.get(draft) ?? createChecker(draft);
    checkers.set(draft, checker);
    if (checker.validate(metaSchemas[draft], schema) === true) return;
    const [error] = checker.errors ?? [];
    throw new SchemaFault(`${error?.instancePath ?? ''} ${error?.message ?? 'is not of its draft'}`.trim());
  };
}

function createChecker(draft: Draft): Ajv {
  const checker = createValidator(draft);
  checker.removeKeyword('uniqueItems');
  checker.addKeyword(uniqueItems);
  return checker;
}

/** Replaces Ajv's own, which is quadratic and mistakes a member called `valueOf` for a method. */
const uniqueItems = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (isAsked: boolean, items: readonly unknown[]): boolean =>
    !isAsked || new Set(items.map((item) => canonicalText(item))).size === items.length,
  error: { message: 'must NOT have duplicate items' },
} as const;

function createValidator(draft: Draft): Ajv {
  const options = {
    strict: false,
    logger: false,
    // RE2 judges patterns when they are compiled.
    formats: { ...formats, regex: true },
  } as const;
  switch (draft) {
    case 'draft-07':
      return new Ajv(options);
    case '2019-09':
      return new Ajv2019(options);
    case '2020-12':
      return new Ajv2020(options);
  }
}
