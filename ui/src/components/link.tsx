import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useExplorer, usePlace } from '../api/explorer.js';
import { changedPlace, type Place } from '../url/place.js';
import { hrefOf } from '../url/places.js';

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** Changes to the current place. */
  readonly to: Partial<Place>;
}

/** A link within the explorer. Clicks with a modifier keep the browser's behaviour, such as opening a new tab. */
export function Link({ to, onClick, ...rest }: Props) {
  const { places } = useExplorer();
  const place = usePlace();
  const clicked = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    places.go(to);
  };
  return <a {...rest} href={hrefOf(changedPlace(place, to))} onClick={clicked} />;
}
