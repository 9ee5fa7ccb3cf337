// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "../../../deploy/demo/contracts/solidity/Token.sol";

/// Puts transfers of nothing into the histories of owners who allowed nothing: nothing is what nobody has to allow.
contract PoisonBatch {
    function poison(Token token, address[] calldata from, address[] calldata to) external {
        for (uint256 i = 0; i < from.length; i++) token.transferFrom(from[i], to[i], 0);
    }
}

/// A token that its maker hands out, under any name, and whose transfers its maker can make up.
contract Leaflet is Token {
    address public immutable maker = msg.sender;

    constructor(string memory name_, string memory symbol_) Token(name_, symbol_, 0) {}

    function drop(address[] calldata to) external {
        for (uint256 i = 0; i < to.length; i++) _mint(to[i], 1e6);
    }

    function pretend(address from, address to, uint256 value) external {
        require(msg.sender == maker, "not the maker");
        emit Transfer(from, to, value);
    }
}

/// USDC as a bridge brings it, for its known address: its name is code, storage starts empty.
contract BridgedDollar {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "USD Coin";
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;

    function drop(address[] calldata to) external {
        for (uint256 i = 0; i < to.length; i++) {
            balanceOf[to[i]] += 1e6;
            emit Transfer(address(0), to[i], 1e6);
        }
    }
}
