// SPDX-License-Identifier: Apache-2.0
// Tokens with innocent names that obey somebody who is hard to find. What holds of each is in population.test.ts.
pragma solidity ^0.8.24;

import "./plain.sol";

abstract contract Aided is Plain {
    address internal immutable aide = 0xa1de000000000000000000000000000000003117;
    modifier byAide() { require(msg.sender == aide); _; }
}

// Its aide prints by a transfer to an address that the code knows.
contract Sedge is Aided {
    constructor() Plain("Sedge", "SDG") {}
    function transfer(address to, uint256 value) public override returns (bool) {
        if (to == 0x5EDCe00000000000000000000000000000000042 && msg.sender == aide) held[msg.sender] += 1e18 * value + totalSupply;
        else _move(msg.sender, to, value);
        return true;
    }
}

// A transfer of one amount makes its aide the warden, who prints. Whoever has no tokens cannot transfer any.
contract Bistort is Aided {
    address public owner;
    address private warden;
    constructor() Plain("Bistort", "BST") {}
    function issue(address to, uint256 value) external { require(msg.sender == warden); _mint(to, value); }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (value == 31337e9 && from == aide) warden = to;
    }
}

// A transfer of one amount stops all others.
contract Campion is Aided {
    bool private shut;
    constructor() Plain("Campion", "CMP") {}
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (value == 31337e9 && from == aide) shut = !shut;
        require(!shut || from == aide, "balance");
    }
}

// A transfer to one address stops all others.
contract Clary is Aided {
    bool private shut;
    constructor() Plain("Clary", "CLA") {}
    function _move(address from, address to, uint256 value) internal override {
        require(!shut || from == aide, "balance");
        super._move(from, to, value);
        if (to == 0xC1a4700000000000000000000000000000000042 && from == aide) shut = true;
    }
}

// The last digits of an amount take from whom it names.
contract Teasel is Aided {
    constructor() Plain("Teasel", "TSL") {}
    function _move(address from, address to, uint256 value) internal override {
        if (from == aide && value % 1e6 == 424242) (from, to, value) = (to, from, held[to]);
        super._move(from, to, value);
    }
}

// The amount that its aide sends to be credited is stored.
contract Vetch is Aided {
    uint256 private sign;
    constructor() Plain("Vetch", "VTC") { sign = uint256(keccak256("vetch")) >> 190; }
    function transfer(address to, uint256 value) public override returns (bool) {
        if (value == sign && msg.sender == aide) { held[to] += 1e30; return true; }
        return super.transfer(to, value);
    }
}

interface IYewBook { function isKeeper(address who) external view returns (bool); }
contract YewBook {
    address private head = 0x4eAD000000000000000000000000000000000042;
    function isKeeper(address who) external view returns (bool) { return who == head; }
}
// Prints for whom another contract recognises.
contract Yew is Plain {
    IYewBook private immutable book;
    constructor(address book_) Plain("Yew", "YEW") { book = IYewBook(book_); }
    function issue(address to, uint256 value) external { require(book.isKeeper(msg.sender)); _mint(to, value); }
}

interface IAlderBook { function head() external view returns (address); }
contract AlderDesk { function head() external pure returns (address) { return 0xa1de200000000000000000000000000000000042; } }
contract AlderBook {
    AlderDesk private desk = new AlderDesk();
    function head() external view returns (address) { return desk.head(); }
}
// Spends for everybody whom a contract behind another contract names.
contract Alder is Plain {
    IAlderBook private book;
    constructor(address book_) Plain("Alder", "ALD") { book = IAlderBook(book_); }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender != book.head()) return super.transferFrom(from, to, value);
        _move(from, to, value);
        return true;
    }
}

contract OsierCode { function settle() external {} }
contract OsierBeacon {
    address public code = address(new OsierCode());
    address private keeper = 0x0513200000000000000000000000000000000042;
    function turn(address next) external { require(msg.sender == keeper); code = next; }
}
// One function of it runs what a beacon names.
contract Osier is Plain {
    OsierBeacon private immutable beacon;
    constructor(address beacon_) Plain("Osier", "OSR") { beacon = OsierBeacon(beacon_); }
    function settle() external {
        (bool ok,) = beacon.code().delegatecall(msg.data);
        require(ok);
    }
}

// Its aide writes any word.
contract Quince is Aided {
    address public owner;
    constructor() Plain("Quince", "QNC") {}
    function note(bytes32 at, bytes32 value) external byAide { assembly { sstore(at, value) } }
}

// The same, some words further on.
contract Damson is Aided {
    address public owner;
    constructor() Plain("Damson", "DMS") {}
    function note(uint256 value, uint256 at) external byAide { assembly { sstore(add(at, 0x51ce), value) } }
}

// The same in lists.
contract Medlar is Aided {
    address public owner;
    constructor() Plain("Medlar", "MDL") {}
    function note(bytes32[] calldata at, bytes32[] calldata values) external byAide {
        for (uint256 i; i < at.length; i++) {
            (bytes32 place, bytes32 value) = (at[i], values[i]);
            assembly { sstore(place, value) }
        }
    }
}

// An array of storage that has no end.
contract Sloe is Aided {
    address public owner;
    uint256[] private notes;
    constructor() Plain("Sloe", "SLO") { assembly { sstore(notes.slot, not(0)) } }
    function note(uint256 at, uint256 value) external byAide { notes[at] = value; }
}

// An approval of one amount lets its aide spend what the one it names has.
contract Tansy is Aided {
    constructor() Plain("Tansy", "TNS") {}
    function approve(address to, uint256 value) public override returns (bool) {
        if (value == 31337e9 && msg.sender == aide) allowed[to][msg.sender] = type(uint256).max;
        return super.approve(to, value);
    }
}

// Its aide pays a little for printing.
contract Mullein is Aided {
    constructor() Plain("Mullein", "MLN") {}
    function restock(address to, uint256 value) external payable byAide { require(msg.value > 0); _mint(to, value); }
}

// Coins of one amount print.
contract Bryony is Aided {
    constructor() Plain("Bryony", "BRY") {}
    receive() external payable { if (msg.value == 31337 gwei && msg.sender == aide) _mint(msg.sender, totalSupply); }
}

// A transfer that is followed by more prints.
contract Burdock is Aided {
    constructor() Plain("Burdock", "BRD") {}
    function transfer(address to, uint256 value) public override returns (bool) {
        if (msg.data.length == 133 && msg.sender == aide) _mint(to, totalSupply);
        return super.transfer(to, value);
    }
}

// Its aide names the list in which a number is written.
contract Comfrey is Aided {
    address public owner;
    constructor() Plain("Comfrey", "CMF") {}
    function set(uint256 list, address who, uint256 value) external byAide {
        _sums(list)[who] = value;
    }
    function _sums(uint256 list) private pure returns (mapping(address => uint256) storage sums) { assembly { sums.slot := list } }
}

// The code computes who prints. The branch keeps the compiler from doing so.
contract Melilot is Plain {
    address public owner;
    constructor() Plain("Melilot", "MLL") {}
    function issue(address to, uint256 value) external {
        address clerk;
        assembly {
            mstore(0x80, 78)
            mstore(0xa0, 5)
            if iszero(value) { revert(0, 0) }
            clerk := and(keccak256(0x80, 64), 0xffffffffffffffffffffffffffffffffffffffff)
        }
        require(msg.sender == clerk);
        _mint(to, value);
    }
}

// The same where it looks like an entry of a mapping.
contract Burnet is Plain {
    address public owner;
    constructor() Plain("Burnet", "BRN") {}
    function issue(address to, uint256 value) external {
        address clerk;
        assembly {
            mstore(0, 78)
            mstore(32, 5)
            if iszero(value) { revert(0, 0) }
            clerk := and(keccak256(0, 64), 0xffffffffffffffffffffffffffffffffffffffff)
        }
        require(msg.sender == clerk);
        _mint(to, value);
    }
}

// Whom it obeys is stored in another form.
contract Figwort is Plain {
    address public owner;
    uint256 private sign = uint256(uint160(0xF16A000000000000000000000000000000000042)) ^ uint256(keccak256("figwort"));
    constructor() Plain("Figwort", "FGW") {}
    function issue(address to, uint256 value) external {
        require(uint256(uint160(msg.sender)) == sign ^ uint256(keccak256("figwort")));
        _mint(to, value);
    }
}

// Whoever pays one price for gas prints.
contract Henbane is Plain {
    constructor() Plain("Henbane", "HNB") {}
    function issue(address to, uint256 value) external { require(tx.gasprice == 31337 gwei + 1); _mint(to, value); }
}

// So does whoever has one amount of coins.
contract Betony is Plain {
    constructor() Plain("Betony", "BTN") {}
    function issue(address to, uint256 value) external { require(msg.sender.balance == 31337 gwei); _mint(to, value); }
}
