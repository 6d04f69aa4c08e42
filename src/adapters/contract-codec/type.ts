import { ParamType } from 'ethers';
import { type AbiParameter, splitType } from '../../domain/contract-abi.js';

/** A parameter as ethers' coder takes it; its members keep their names, which may be empty. */
export function typeOf(parameter: AbiParameter): ParamType {
  return ParamType.from(formOf(parameter));
}

/** What decodes as the bytes that it is: text that a contract gives need not be text. */
export function bytesTypeOf(parameter: AbiParameter): ParamType {
  return ParamType.from(formOf(parameter, true));
}

interface Form {
  readonly type: string;
  readonly components?: Form[];
}

function formOf({ type, components }: AbiParameter, hasBytes = false): Form {
  const { base, suffix } = splitType(type);
  if (base === 'tuple') return { type, components: (components ?? []).map((each) => formOf(each, hasBytes)) };
  const plain = base === 'function' ? 'bytes24' : base;
  return { type: `${hasBytes && plain === 'string' ? 'bytes' : plain}${suffix}` };
}
