/** Decimal numbers from bytes, without a text in between. */

const [minus, plus, dot, zero, nine, lowerE, upperE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x65, 0x45];
/** Powers of ten that are doubles exactly. */
const powers = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * The double nearest to the decimal number in these bytes; NaN where it takes more than one exact step to know it, or
 * where there is no number. Digits that make an integer below 2⁵³ and a power of ten up to 22 are both exact, so
 * that their quotient or product is rounded once (Clinger 1990); that is nearly every accuracy.
 */
export function decimal(bytes: Uint8Array, first: number, last: number): number {
  let at = first;
  const negative = bytes[at] === minus;
  if (negative || bytes[at] === plus) at++;
  let digits = 0;
  let mantissa = 0;
  let exponent = 0;
  let seenDot = false;
  for (; at < last; at++) {
    const byte = bytes[at]!;
    if (byte >= zero && byte <= nine) {
      mantissa = mantissa * 10 + (byte - zero);
      digits++;
      if (seenDot) exponent--;
      if (mantissa > Number.MAX_SAFE_INTEGER) return Number.NaN;
    } else if (byte === dot && !seenDot) seenDot = true;
    else if ((byte === lowerE || byte === upperE) && digits > 0) {
      const power = wholeNumber(bytes, at + 1, last);
      if (Number.isNaN(power)) return Number.NaN;
      exponent += power;
      at = last;
    } else return Number.NaN;
  }
  if (digits === 0 || exponent > 22 || exponent < -22) return Number.NaN;
  const size = exponent < 0 ? mantissa / powers[-exponent]! : mantissa * powers[exponent]!;
  return negative ? -size : size;
}

function wholeNumber(bytes: Uint8Array, first: number, last: number): number {
  const negative = bytes[first] === minus;
  let at = negative || bytes[first] === plus ? first + 1 : first;
  if (at === last || last - at > 3) return Number.NaN;
  let value = 0;
  for (; at < last; at++) {
    const byte = bytes[at]!;
    if (byte < zero || byte > nine) return Number.NaN;
    value = value * 10 + (byte - zero);
  }
  return negative ? -value : value;
}
