import { valueOf } from '../../../../src/wire/json/json.js';
import type { JsonText } from '../../../../src/wire/scalar.js';
import { Id } from '../../components/record/id.js';
import { Text } from '../../components/text/text.js';

/** The address in the location of a contract; undefined if it has none. */
export function addressOf(location: JsonText | undefined): string | undefined {
  const value: unknown = location === undefined ? undefined : valueOf(location);
  const address: unknown = value instanceof Object ? Reflect.get(value, 'address') : undefined;
  return typeof address === 'string' ? address : undefined;
}

interface Props {
  readonly of: JsonText | undefined;
  readonly isWhole?: boolean;
}

export function Location({ of, isWhole = false }: Props) {
  if (of === undefined) return <span className="muted">any address</span>;
  const address = addressOf(of);
  return address === undefined ? <Text value={of} /> : <Id id={address} what="the address" isWhole={isWhole} />;
}
