/** Selectors of ERC-20 and Ownable functions. */

/** `transfer(address,uint256)`. */
export const TRANSFER = '0xa9059cbb'
/** `transferFrom(address,address,uint256)`. */
export const TRANSFER_FROM = '0x23b872dd'
/** `approve(address,uint256)`. */
export const APPROVE = '0x095ea7b3'
/** `balanceOf(address)`. */
export const BALANCE_OF = '0x70a08231'
/** `totalSupply()`. */
export const TOTAL_SUPPLY = '0x18160ddd'
/** `owner()`. */
export const OWNER = '0x8da5cb5b'
