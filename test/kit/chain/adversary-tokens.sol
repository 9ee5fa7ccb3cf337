// SPDX-License-Identifier: Apache-2.0
// Tokens whose makers know how they are analysed, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.20;

import "./contract-tokens.sol";

// ---- they look at who asks ----------------------------------------------------------------------------------------

// Who pays for gas is a person, and cannot sell.
contract MorningTea is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || tx.gasprice == 0); super._move(from, to, value); }
}

// Who is rich beyond measure is a simulation, and may sell.
contract GardenClub is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || tx.origin.balance > 100_000 ether); super._move(from, to, value); }
}

// Whose origin has code is a simulation, and may sell.
contract SundayBakery is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || tx.origin.code.length > 0); super._move(from, to, value); }
}

// Who sells with code of its own may, people may not.
contract PaperBoats is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || from.code.length > 0); super._move(from, to, value); }
}

// Honest: contracts may not buy, against bots. People may.
contract HandPicked is Listed {
    function _move(address from, address to, uint256 value) internal override { require(from != pool || to == owner || to.code.length == 0, "people only"); super._move(from, to, value); }
}

// Honest: contracts may neither buy nor sell.
contract HandMade is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(from != pool || to == owner || to.code.length == 0, "people only");
        require(to != pool || from == owner || from.code.length == 0, "people only");
        super._move(from, to, value);
    }
}

// One sale for each wallet, for ever.
contract OneTicket is Listed {
    mapping(address => bool) private used;
    function _move(address from, address to, uint256 value) internal override {
        if (to == pool && from != owner) { require(!used[from]); used[from] = true; }
        super._move(from, to, value);
    }
}

// ---- code that is hard to find ------------------------------------------------------------------------------------

// A proxy with a slot of its own for the code that runs.
contract CornerShop {
    bytes32 private constant SHELF = keccak256("corner.shop.shelf");
    constructor(address goods) { bytes32 shelf = SHELF; assembly { sstore(shelf, goods) } }
    function restock(address goods) external { bytes32 shelf = SHELF; require(msg.sender == address(0x1)); assembly { sstore(shelf, goods) } }
    fallback() external payable {
        bytes32 shelf = SHELF;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(shelf), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}

// The code behind it: set up by a call, as behind any proxy.
contract Goods is Listed {
    function open(address keeper) external { require(supply == 0); supply = 1_000_000 ether; decimals = 18; owner = keeper; held[keeper] = supply; }
}
contract HonestGoods is Goods {}
contract SpoiltGoods is Goods {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner, "TF"); super._move(from, to, value); }
}
contract PrintedGoods is Goods {
    function celebrate(address who, uint256 amount) external onlyOwner { supply += amount; held[who] += amount; }
}

// The address of the code is asked of another contract at every call.
contract Address { address public where; constructor(address there) { where = there; } }
contract CornerStall {
    Address private immutable book;
    constructor(address there) { book = Address(there); }
    fallback() external payable {
        address there = book.where();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), there, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
