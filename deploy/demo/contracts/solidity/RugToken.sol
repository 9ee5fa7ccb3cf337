// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "./Token.sol";

/// The owner can print more of it. The fraud itself is done with the liquidity, not with this.
contract RugToken is Token {
    address public owner;

    constructor(string memory name_, string memory symbol_, uint256 supply) Token(name_, symbol_, supply) {
        owner = msg.sender;
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == owner, "not the owner");
        _mint(to, value);
    }
}
