import { type TSchema, Type } from '@sinclair/typebox';
import type { InterfaceParts } from '../../domain/contracts/ffi.js';
import { isObject, type JsonObject, memberOf } from '../../domain/schema/json.js';
import {
  ApiCallRequest,
  ApiQueryRequest,
  type ContractApi,
  type FfiMethod,
  type FfiParameter,
} from '../../wire/contracts/contract.js';
import { valueOf } from '../../wire/json/json.js';
import { requiring } from '../../wire/json/required-mark.js';
import type { Route } from '../../wire/route.js';
import { contractRoutes } from '../../wire/routes/contracts.js';
import { listenerRoutes } from '../../wire/routes/listeners.js';

/**
 * Derives the routes of a contract API, one for each of its methods and events, from the rows that serve them, with the
 * arguments and results of its interface.
 */
export function routesOfApi(api: ContractApi, { methods, events }: InterfaceParts): Readonly<Record<string, Route>> {
  const base = api.urls.api;
  const table: Record<string, Route> = {};
  const { invokeContractApi, queryContractApi } = contractRoutes;
  for (const method of methods) {
    const { name, pathname = name, description = '' } = method;
    const about = description === '' ? '' : `: ${description}`;
    table[`invoke_${pathname}`] = {
      ...invokeContractApi,
      path: `${base}/invoke/${pathname}`,
      summary: `Call ${name}${about}`,
      body: callOf(api, method, ApiCallRequest.properties),
    };
    table[`query_${pathname}`] = {
      ...queryContractApi,
      path: `${base}/query/${pathname}`,
      summary: `Ask ${name}${about}`,
      body: callOf(api, method, ApiQueryRequest.properties),
      reply: resultsOf(method),
    };
  }
  const { createApiListener, listApiListeners } = listenerRoutes;
  for (const { name, pathname = name, signature = name } of events) {
    const path = `${base}/listeners/${pathname}`;
    table[`create_listener_${pathname}`] = { ...createApiListener, path, summary: `Listen for ${signature}` };
    table[`list_listeners_${pathname}`] = { ...listApiListeners, path, summary: `List who listens for ${signature}` };
  }
  return table;
}

/** The body of a call or query. The location is the API's, if it has one. */
function callOf(
  api: ContractApi,
  { params }: FfiMethod,
  { location, input: _, ...rest }: typeof ApiCallRequest.properties | typeof ApiQueryRequest.properties,
): TSchema {
  const names = params.map(({ name }) => name);
  // Marked as required, since a default in the schema of a parameter is not filled in.
  const all = requiring(names, Type.Object(Object.fromEntries(params.map((each) => [each.name, schemaOf(each)]))));
  const input = names.length === 0 ? Type.Optional(all) : all;
  if (api.location !== undefined) return Type.Object({ input, ...rest });
  return requiring(['location'], Type.Object({ location, input, ...rest }));
}

/** The results of a method; unnamed ones are named by position. */
function resultsOf({ returns }: FfiMethod): TSchema {
  const members = returns.map((parameter, index) => {
    const place = index === 0 ? 'output' : `output${index}`;
    return [parameter.name === '' ? place : parameter.name, schemaOf(parameter)] as const;
  });
  return Type.Object(Object.fromEntries(members));
}

/** The schema of a parameter, described by its Solidity type. */
function schemaOf({ schema }: FfiParameter): TSchema {
  const value = valueOf(schema);
  const given: JsonObject = isObject(value) ? value : {};
  const details = memberOf(given, 'details');
  const type = isObject(details) ? memberOf(details, 'type') : undefined;
  const description = memberOf(given, 'description');
  const words = [type, description].filter((word) => typeof word === 'string').join(': ');
  return Type.Unsafe({ ...given, description: words });
}
