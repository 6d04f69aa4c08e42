import type { ReactNode } from 'react';
import type { FfiEvent, FfiMethod } from '../../../../src/wire/contracts/contract.js';
import { Section } from '../../components/page/section.js';
import { Text } from '../../components/text/text.js';
import styles from './contracts.module.css';
import { parametersOf, signatureText, solidityText } from './parameters.js';

interface Props<Member> {
  readonly title: string;
  readonly none: string;
  readonly of: readonly Member[];
  /** The buttons for a member. */
  readonly actions?: (member: Member) => ReactNode;
}

/** The methods, events or errors of a contract, in the notation of Solidity. */
export function Members<Member extends FfiMethod | FfiEvent>({ title, none, of, actions }: Props<Member>) {
  return (
    <Section title={`${title} · ${of.length}`}>
      {of.length === 0 && <p className="muted">{none}</p>}
      <ul className={styles.members}>
        {of.map((member, index) => (
          <li key={member.pathname ?? `${member.name} ${index}`}>
            <code>
              <Text value={textOfMember(member)} />
            </code>
            {actions?.(member)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function textOfMember(member: FfiMethod | FfiEvent): string {
  const words = signatureText(member.name, parametersOf(member.params));
  if (!('returns' in member) || member.returns.length === 0) return words;
  return `${words} → ${parametersOf(member.returns, 'output').map(solidityText).join(', ')}`;
}
