/** What each letter or sign is written as. `_` stands for nothing. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  `
  ß ss ẞ SS æ ae Æ AE œ oe Œ OE ø o Ø O đ d Đ D ð d Ð D þ th Þ TH ł l Ł L ı i ĸ k ŋ ng Ŋ NG ħ h Ħ H ŧ t Ŧ T
  ‘ ' ’ ' ‚ , “ " ” " „ " « << » >> – - — - … ... € EUR £ GBP © (c) ® (r) ° deg × x ÷ / • * · . ¡ ! ¿ ?
  а a б b в v г g д d е e ё yo ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f
  х kh ц ts ч ch ш sh щ shch ъ _ ы y ь _ э e ю yu я ya і i ї yi є ye ґ g
  α a β b γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o
  `
    .trim()
    .split(/\s+/)
    .flatMap((sign, at, all): [string, string][] => (at % 2 === 0 ? [[sign, all[at + 1]!.replace('_', '')]] : [])),
);

/** To ASCII; what has no counterpart becomes `?`. */
export function transliterate(text: string): string {
  let result = '';
  for (const sign of text) result += sign < '\x80' ? sign : (known(sign) ?? plain(sign));
  return result;
}

function known(sign: string): string | undefined {
  const direct = LETTERS.get(sign);
  if (direct !== undefined) return direct;
  const small = LETTERS.get(sign.toLowerCase());
  return small === undefined ? undefined : small.charAt(0).toUpperCase() + small.slice(1);
}

function plain(sign: string): string {
  const bare = sign.normalize('NFKD').replace(/\p{M}/gu, '');
  if (bare === '') return '';
  return [...bare].map((part) => (part < '\x80' ? part : (known(part) ?? '?'))).join('');
}
