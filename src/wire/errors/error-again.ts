import { type ErrorName, isServiceError, ServiceError } from './error.js';

/** An error as plain data. */
export interface PlainError {
  readonly reason: ErrorName;
  readonly fields: ServiceError['fields'];
}

/** Restores an error from plain data. */
export function serviceErrorOf({ reason, fields }: PlainError): ServiceError {
  const again: unknown = Reflect.construct(ServiceError, [reason, fields]);
  if (!isServiceError(again)) throw new TypeError('The constructor of an error makes an error');
  return again;
}
