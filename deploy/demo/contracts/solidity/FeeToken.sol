// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "./Token.sol";

/// Takes 3 % of every transfer for a treasury: unusual, announced, and no fraud.
contract FeeToken is Token {
    uint256 public constant FEE_PERCENT = 3;
    address public immutable treasury;

    constructor(string memory name_, string memory symbol_, uint256 supply) Token(name_, symbol_, supply) {
        treasury = msg.sender;
    }

    function _transfer(address from, address to, uint256 value) internal override {
        uint256 fee = from == treasury || to == treasury ? 0 : (value * FEE_PERCENT) / 100;
        if (fee > 0) super._transfer(from, treasury, fee);
        super._transfer(from, to, value - fee);
    }
}
