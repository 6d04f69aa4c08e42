/**
 * SQLite tables that a migration rewrites because a column takes values that its type did not allow. The columns that
 * earlier migrations gave a table are read from their statements, which are frozen.
 */

/** A column of a table that is rewritten: its definition, and the expression for its new content. */
export interface Rebuilt {
  readonly name: string;
  readonly definition: string;
  readonly value: string;
}

/** Columns that also take bytes or numbers from now on, by table, with the expression for their new content. */
export interface Conversion {
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly value: (column: string) => string;
}

/** A table's columns after these conversions, as the statements of migrations define them, added columns last. */
export function columnsOf(
  table: string,
  statements: readonly string[],
  conversions: readonly Conversion[],
): readonly Rebuilt[] {
  const matches = (pattern: RegExp): readonly string[] =>
    statements.flatMap((statement) => pattern.exec(statement)?.[1] ?? []);
  const created = matches(new RegExp(`^create table "${table}" \\(([^]*)\\) strict$`));
  const added = matches(new RegExp(`^alter table "${table}" add column (.*)$`));
  return [...created.flatMap((text) => text.split(',')), ...added].map((text) => {
    const definition = text.trim();
    const [, name = ''] = /^"(\w+)"/.exec(definition) ?? [];
    const conversion = conversions.find(({ columns }) => columns[table]?.includes(name));
    const kept = { name: `"${name}"`, definition, value: `"${name}"` };
    if (conversion === undefined) return kept;
    return { ...kept, definition: definition.replace(/ text/, ' any'), value: conversion.value(kept.name) };
  });
}

/** The statements that create a table's indexes: those that migrations created and did not drop. */
export function indexesOf(table: string, statements: readonly string[]): readonly string[] {
  const indexes = new Map<string, string>();
  for (const statement of statements) {
    const [, created] = new RegExp(`^create (?:unique )?index ("\\w+") on "${table}"`).exec(statement) ?? [];
    const [, dropped] = /^drop index ("\w+")$/.exec(statement) ?? [];
    if (created !== undefined) indexes.set(created, statement);
    if (dropped !== undefined) indexes.delete(dropped);
  }
  return [...indexes.values()];
}

/** The statement that creates a table. */
export function createText(table: string, columns: readonly Rebuilt[]): string {
  return `create table "${table}" (${columns.map(({ definition }) => definition).join(', ')}) strict`;
}

/** The statements that rewrite a table. Without `keptStatistics` the statistics of its indexes are lost. */
export function rebuilt(table: string, columns: readonly Rebuilt[], indexes: readonly string[]): readonly string[] {
  const names = columns.map(({ name }) => name).join(', ');
  return [
    createText('rebuilt', columns),
    `insert into "rebuilt" (${names}) select ${columns.map(({ value }) => value).join(', ')} from "${table}"`,
    // Sequences are never reused, not even those of removed rows.
    `delete from sqlite_sequence where "name" = 'rebuilt'`,
    `insert into sqlite_sequence select 'rebuilt', "seq" from sqlite_sequence where "name" = '${table}'`,
    `drop table "${table}"`,
    `alter table "rebuilt" rename to "${table}"`,
    ...indexes,
  ];
}

/** Statements that restore the planner's statistics: dropping a table removes its own. */
export function keptStatistics(statements: readonly string[]): readonly string[] {
  return [
    `create table "statistics" as select * from sqlite_stat1`,
    ...statements,
    `delete from sqlite_stat1`,
    `insert into sqlite_stat1 select * from "statistics"`,
    `drop table "statistics"`,
  ];
}
