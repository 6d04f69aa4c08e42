import { createContext } from 'react';

/** The level of the headings of sections: below that of the page, or of the panel or dialog that they are in. */
export const SectionLevel = createContext<2 | 3>(2);
