import { type ReactNode, use, useId } from 'react';
import { SectionLevel } from './section-level.js';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  const level = use(SectionLevel);
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.header}>
        {level === 2 ? <h2 id={id}>{title}</h2> : <h3 id={id}>{title}</h3>}
        {actions}
      </header>
      {children}
    </section>
  );
}

/** A description list of a record. Undefined values are left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode | undefined])[] }) {
  return (
    <dl className={styles.facts}>
      {of.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
