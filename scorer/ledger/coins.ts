/** Base units in whole coins, exactly: decimal text without trailing zeros, with a minus where it is less than nothing. */
export const coinsOf = (units: bigint, decimals: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return `${units < 0n ? '-' : ''}${decimals === 0 || rest === '' ? whole : `${whole}.${rest}`}`
}
