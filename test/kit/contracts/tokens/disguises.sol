// SPDX-License-Identifier: Apache-2.0
// Tokens that hide from whoever reads their code, or know whoever simulates trades, and honest ones that look alike.
pragma solidity ^0.8.28;

import "./adversary-tokens.sol";

// ---- they know the analyst -------------------------------------------------------------------------------------------

// Accounts whose addresses anybody can compute from the token's own may sell.
contract MarramGrass is Listed {
    mapping(address => bool) private spared;
    constructor() {
        string[9] memory roles = ["person", "director", "victim", "bystander", "receiver", "buyer", "holder", "late seller", "guest"];
        for (uint256 i; i < 9; i++) spared[address(uint160(uint256(keccak256(abi.encodePacked("assay ", roles[i], " ", _text())))))] = true;
    }
    function _text() private view returns (string memory) {
        bytes memory text = new bytes(42);
        (text[0], text[1]) = ("0", "x");
        for (uint256 i; i < 40; i++) text[i + 2] = bytes16("0123456789abcdef")[uint160(address(this)) >> (4 * (39 - i)) & 15];
        return string(text);
    }
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || spared[from], "face");
        super._move(from, to, value);
    }
}

// Blocks of mainnet are twelve seconds apart: nobody sells at their times, and everybody in between.
contract TwelveBells is Listed {
    uint256 private immutable first = block.timestamp;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || (block.timestamp - first) % 12 != 0, "bell");
        super._move(from, to, value);
    }
}

// Who has a round sum to the tenth of a coin is a simulation, and may sell.
contract RoundPurse is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || tx.origin.balance % 0.1 ether == 0, "purse");
        super._move(from, to, value);
    }
}

// Where nobody knows the block before, it is no block.
contract YesterdaysPaper is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || blockhash(block.number - 1) == 0, "paper");
        super._move(from, to, value);
    }
}

// ---- honest ----------------------------------------------------------------------------------------------------------

// A raffle: each block's hash and time take up to two of 100, from everybody alike.
contract BellRaffle is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 cut = to == pool && from != owner ? value * (uint256(blockhash(block.number - 1)) % 2 + (block.timestamp % 12 == 0 ? 1 : 0)) / 100 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, address(this), cut);
    }
}
