import { readFile, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../../src/stack/layout.js';
import { stackSchema, userSchema } from '../../../../src/stack/definition/published-schema.js';
import { aDefinition } from '../fixtures/place.js';

// With `UPDATE_SCHEMAS=1` this test writes the schemas.
const updates = process.env['UPDATE_SCHEMAS'] === '1';

const published = [
  ['schemas/stack.schema.json', stackSchema()],
  ['schemas/config.schema.json', userSchema()],
] as const;

describe('The published schema', () => {
  test.each(published)('%s is the schema that files are checked with', async (file, schema) => {
    const text = `${JSON.stringify(schema, undefined, 2)}\n`;
    if (updates) await writeFile(packageFile(file), text);
    expect(JSON.parse(await readFile(packageFile(file), 'utf8'))).toEqual(JSON.parse(text));
  });

  test.each(published)('%s is a valid schema with a title for each key', (_, schema) => {
    expect(() => new Ajv({ strict: true, allowUnionTypes: true }).compile(schema)).not.toThrow();
    const properties: readonly unknown[] = Object.values(schema['properties'] ?? {});
    expect(properties.length).toBeGreaterThan(5);
    for (const property of properties) expect(property).toHaveProperty('title');
  });

  const templates = ['minimal', 'default', 'tokens', 'ci', 'docker', 'postgres'];
  test.each(templates)('accepts the definition of the template %s', async (template) => {
    const text = await readFile(packageFile(`templates/${template}/stack.yaml`), 'utf8');
    const values = text.replace('${name}', 'dev').replace('${parties}', '[alice]').replace('${url}', 'file:a');
    const value: unknown = parse(values);
    expect(new Ajv().validate(stackSchema(), value)).toBe(true);
    expect(new Ajv().validate(stackSchema(), { ...parse(aDefinition()), portz: 1 })).toBe(false);
  });
});
