import type { Middleware } from 'koa';
import type { Profile } from '../../domain/network/profile.js';
import { findApi } from '../../pipeline/accept/contracts/api.js';
import { findInterface } from '../../pipeline/accept/contracts/interface.js';
import { apiRecord, readParts } from '../../pipeline/records/contracts.js';
import type { Database } from '../../ports/database.js';
import { textOf } from '../../wire/json/json.js';
import { openApiDocument } from '../../wire/openapi.js';
import type { Access } from '../requests/access.js';
import { routesOfApi } from './api-routes.js';
import { describeContract } from '../network/description-page.js';
import { sendDocument, sendPage } from '../network/description.js';
import { decodedPart } from '../requests/decoded-part.js';

export interface ContractPageParts {
  readonly database: Database;
  readonly access: Pick<Access, 'resolverFor'>;
  /** Version of the package. */
  readonly version: string;
  /** The profile of the node's network. */
  readonly profile?: Profile | undefined;
}

const pathPattern =
  /^\/api\/v1(?:\/namespaces\/([^/]+))?\/apis\/([^/]+)\/api(?:\/(?:openapi|swagger)\.(json|yaml))?\/?$/;

/** Whether a path is that of a contract API's documentation. */
export function isContractPage(path: string): boolean {
  return pathPattern.test(path);
}

/**
 * Serves the documentation of each contract API below its path, derived from the rows that serve it: OpenAPI 3.1 for
 * programs, a page for people (docs/api.md §20). The JSON document is also valid YAML.
 */
export function createContractPages({ database, access, version, profile }: ContractPageParts): Middleware {
  return async (ctx, next) => {
    const match = ctx.method === 'GET' || ctx.method === 'HEAD' ? pathPattern.exec(ctx.path) : null;
    if (match === null) return next();
    const [, givenNamespace, givenName = '', format] = match;
    const namespace = access.resolverFor(ctx.req)(
      givenNamespace === undefined ? undefined : decodedPart(givenNamespace),
    );
    const name = decodedPart(givenName);
    const row = await findApi(database, { namespace, name }, name);
    const its = await findInterface(database, { namespace, id: row.interface }, row.interface);
    const api = apiRecord(row);
    const table = routesOfApi(api, readParts(its));
    const title = `${name} · ${its.name} ${its.version}`;
    if (format === undefined) {
      const document = api.urls.openapi;
      sendPage(ctx, describeContract(table, { title, about: its.description, document, profile }));
      return;
    }
    sendDocument(ctx, textOf(openApiDocument(table, { version, profile, title, about: its.description })), format);
  };
}
