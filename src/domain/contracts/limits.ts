import { ServiceError } from '../../wire/errors/error.js';
import type { JsonText } from '../../wire/scalar.js';
import type { InterfaceLimits } from '../network/network-rules.js';

/** The parts of an interface as far as they are counted. */
interface CountedParts {
  readonly methods: readonly { readonly params: readonly unknown[]; readonly returns: readonly unknown[] }[];
  readonly events: readonly { readonly params: readonly unknown[] }[];
  readonly errors: readonly { readonly params: readonly unknown[] }[];
}

/**
 * Checks the parts of an interface against the limits of the network before any other work on them. The check is cheap
 * and the same on every node.
 *
 * @throws ServiceError too_many
 */
export function checkInterfaceParts({ methods, events, errors }: CountedParts, limits: InterfaceLimits): void {
  const results = methods.map(({ returns }) => returns.length);
  const params = [...methods, ...events, ...errors].map((part) => part.params.length);
  const total = [...params, ...results].reduce((sum, count) => sum + count, 0);
  atMost('methods', methods.length, limits.maxInterfaceMethods);
  atMost('events', events.length, limits.maxInterfaceEvents);
  atMost('errors', errors.length, limits.maxInterfaceErrors);
  atMost('The list of all parameters', total, limits.maxInterfaceParams);
}

/** Checks the length of an interface's definition against the limit of the network. @throws ServiceError too_long */
export function checkInterfaceText(text: JsonText, { maxInterfaceBytes: max }: InterfaceLimits): void {
  const actual = Buffer.byteLength(text);
  if (max !== undefined && actual > max) {
    throw new ServiceError('too_long', { field: 'The definition of an interface', max, unit: 'bytes', actual });
  }
}

function atMost(field: string, actual: number, max: number | undefined): void {
  if (max !== undefined && actual > max) throw new ServiceError('too_many', { field, max, actual });
}
