// words.js - the page's own words, in the language that the daemon chose for the document
// SPDX-License-Identifier: Apache-2.0
//
// One module a language, all with the same keys: texts, and functions where a word depends on a
// side ("white", "black"), a name or a number. What the referee decided comes as text from the
// daemon, in the same language.
import en from "./words_en.js";
import pl from "./words_pl.js";
import ru from "./words_ru.js";

export const dictionaries = { en, ru, pl };

const asked = globalThis.document?.documentElement.lang;
export const words = dictionaries[asked] || en;
