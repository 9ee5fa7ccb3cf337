// SPDX-License-Identifier: Apache-2.0
// Proxies that show one code and run another, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.28;

import "./adversary-tokens.sol";

// The code of an honest token, and of one that prints. Whoever makes a proxy of them holds all there is.
contract Bread is Listed {}
contract SweetBread is Listed {
    function celebrate(address who, uint256 amount) external onlyOwner { supply += amount; held[who] += amount; }
}
contract Opening is Listed {
    function open() external { supply = 1_000_000 ether; decimals = 18; owner = msg.sender; held[msg.sender] = supply; }
}

abstract contract Borrower {
    constructor() { (bool ok, ) = address(new Opening()).delegatecall(abi.encodeCall(Opening.open, ())); require(ok); }
    function _run(address there) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), there, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}

// ---- they print -----------------------------------------------------------------------------------------------------

// One function comes from a code that stands in the contract, all others from a slot.
contract BackRoom is Borrower {
    bytes32 private constant FRONT = keccak256("back.room.front");
    address private immutable back;
    constructor(address front, address there) { back = there; bytes32 at = FRONT; assembly { sstore(at, front) } }
    fallback() external payable {
        bytes32 at = FRONT;
        address front;
        assembly { front := sload(at) }
        _run(msg.sig == SweetBread.celebrate.selector ? back : front);
    }
}

// Its keeper is served from a code that stands in the contract, everybody else from a slot.
contract StaffCounter is Borrower {
    bytes32 private constant FRONT = keccak256("staff.counter.front");
    address private immutable back;
    address private immutable keeper = msg.sender;
    constructor(address front, address there) { back = there; bytes32 at = FRONT; assembly { sstore(at, front) } }
    fallback() external payable {
        bytes32 at = FRONT;
        address front;
        assembly { front := sload(at) }
        _run(msg.sender == keeper ? back : front);
    }
}

// Five shelves, of which one is used.
contract FiveShelves is Borrower {
    address private immutable keeper = msg.sender;
    constructor(address front, address there) {
        assembly { for { let i := 1 } lt(i, 5) { i := add(i, 1) } { sstore(add(0x5e1f00, i), front) } sstore(0x5e1f05, there) }
    }
    fallback() external payable {
        uint256 n = msg.data.length;
        address a;
        if (n == 7) assembly { a := sload(0x5e1f01) }
        else if (n == 9) assembly { a := sload(0x5e1f02) }
        else if (n == 11) assembly { a := sload(0x5e1f03) }
        else if (n == 13) assembly { a := sload(0x5e1f04) }
        else assembly { a := sload(0x5e1f05) }
        _run(a);
    }
}

// What a card names is run, and what no card names is on the shelf.
contract CardFile is Borrower {
    bytes32 private constant FRONT = keccak256("card.file.front");
    constructor(address front, address there) {
        bytes32 at = FRONT;
        assembly { sstore(at, front) }
        _cards()[SweetBread.celebrate.selector] = there;
    }
    function _cards() private pure returns (mapping(bytes4 => address) storage cards) { assembly { cards.slot := 0xca4d } }
    fallback() external payable {
        bytes32 at = FRONT;
        address there = _cards()[msg.sig];
        if (there == address(0)) assembly { there := sload(at) }
        _run(there);
    }
}

// The same, beside a standard slot that nothing reads.
contract ShownCard is Borrower {
    bytes32 private constant SHOWN = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    constructor(address front, address there) {
        bytes32 at = SHOWN;
        assembly { sstore(at, front) }
        _cards()[0] = front;
        _cards()[SweetBread.celebrate.selector] = there;
    }
    function _cards() private pure returns (mapping(bytes4 => address) storage cards) { assembly { cards.slot := 0xca4d } }
    fallback() external payable {
        address there = _cards()[msg.sig];
        _run(there == address(0) ? _cards()[0] : there);
    }
}

// A diamond that does not name all of its facets (EIP-2535).
contract CutGlass is Borrower {
    struct Facet { address facet; bytes4[] selectors; }
    address private immutable front;
    constructor(address shown, address there) { front = shown; _cards()[0] = shown; _cards()[SweetBread.celebrate.selector] = there; }
    function _cards() private pure returns (mapping(bytes4 => address) storage cards) { assembly { cards.slot := 0xca4d } }
    function facets() external view returns (Facet[] memory list) { list = new Facet[](1); list[0].facet = front; }
    fallback() external payable {
        address there = _cards()[msg.sig];
        _run(there == address(0) ? _cards()[0] : there);
    }
}

// The beacon names one code to the proxy and another to whoever asks.
contract TwoFaces {
    address private immutable front;
    address private immutable back;
    address private seen;
    constructor(address shown, address there) { front = shown; back = there; }
    function meet(address who) external { require(seen == address(0)); seen = who; }
    function implementation() external view returns (address) { return msg.sender == seen ? back : front; }
}
contract Harbourmaster is Borrower {
    bytes32 private constant SLOT = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
    constructor(address beacon) { assembly { sstore(SLOT, beacon) } TwoFaces(beacon).meet(address(this)); }
    fallback() external payable {
        address beacon;
        assembly { beacon := sload(SLOT) }
        _run(TwoFaces(beacon).implementation());
    }
}

// Begins like a clone of a code that it never runs (EIP-1167).
contract ShopSign is Borrower {
    constructor(address front, address there) {
        bytes memory code = abi.encodePacked(
            hex"3650601c5673", front, hex"5af45b365f5f375f5f365f73", there, hex"5af43d5f5f3e6046573d5ffd5b3d5ff3"
        );
        assembly { return(add(code, 32), mload(code)) }
    }
}

// The slot names the account of a person, which has borrowed the code (EIP-7702).
contract Lodger is Borrower {
    bytes32 private constant ROOM = keccak256("lodger.room");
    constructor(address there) { bytes32 at = ROOM; assembly { sstore(at, there) } }
    fallback() external payable {
        bytes32 at = ROOM;
        address there;
        assembly { there := sload(at) }
        _run(there);
    }
}

// Another contract names the code. The standard slot names one that never runs.
contract ShownBook is Borrower {
    bytes32 private constant SHOWN = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    Address private immutable book;
    constructor(address front, address there) {
        book = new Address(there);
        bytes32 at = SHOWN;
        assembly { sstore(at, front) }
    }
    fallback() external payable { _run(book.where()); }
}

// ---- honest -----------------------------------------------------------------------------------------------------------

// Too long for one code: what is rarely called is in a second one.
contract SideRoom is Borrower {
    bytes32 private constant FRONT = keccak256("side.room.front");
    address private immutable side;
    constructor(address front, address there) { side = there; bytes32 at = FRONT; assembly { sstore(at, front) } }
    fallback() external payable {
        bytes32 at = FRONT;
        address front;
        assembly { front := sload(at) }
        _run(msg.sig == Owned.transferOwnership.selector ? side : front);
    }
}

// A clone (EIP-1167).
contract TrueCopy is Borrower {
    constructor(address front, address) {
        bytes memory code = abi.encodePacked(hex"363d3d373d3d3d363d73", front, hex"5af43d82803e903d91602b57fd5bf3");
        assembly { return(add(code, 32), mload(code)) }
    }
}

// ---- coins ------------------------------------------------------------------------------------------------------------

// Sales stop once somebody sends a coin to an account.
contract RainGauge is Listed {
    address private immutable barrel = address(uint160(uint256(keccak256("barrel"))));
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || barrel.balance == 0, "rain");
        super._move(from, to, value);
    }
}

// Honest: notes whether an account has coins, and lets everybody sell.
contract RainDiary is Listed {
    address private immutable barrel = address(uint160(uint256(keccak256("barrel"))));
    uint256 public wet;
    function _move(address from, address to, uint256 value) internal override {
        if (barrel.balance > 0) wet++;
        super._move(from, to, value);
    }
}

// Nobody sends anything once the token's own coins are gone, and its owner takes them: all at once, or a few at a time.
contract OwnBarrel is Listed {
    receive() external payable {}
    function bottle() external onlyOwner { payable(owner).transfer(address(this).balance); }
    function _move(address from, address to, uint256 value) internal override {
        require(from == owner || address(this).balance > 0, "dry");
        super._move(from, to, value);
    }
}
contract TappedBarrel is Listed {
    uint256 private left = type(uint256).max;
    receive() external payable {}
    function pour(uint256 amount) external onlyOwner { left -= amount; payable(owner).transfer(amount); }
    function _move(address from, address to, uint256 value) internal override {
        require(from == owner || address(this).balance >= 1 ether, "dry");
        super._move(from, to, value);
    }
}

// A coin on the shelf ends all sales. What puts it there writes nothing, and nothing takes it away.
contract OldShelf is Listed {
    receive() external payable { require(msg.sender == owner); }
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || address(this).balance == 0, "full");
        super._move(from, to, value);
    }
}
// So it is with a hundred coins, and where the token looks itself up.
contract HighShelf is Listed {
    fallback() external payable { require(msg.sender == owner); }
    function _coins(address who) private view returns (uint256) { return who.balance; }
    function _move(address from, address to, uint256 value) internal override {
        require(from == owner || _coins(address(this)) < 100 ether, "full");
        super._move(from, to, value);
    }
}
// So it is once somebody has opened the shop.
contract NightShelf is Listed {
    bool private lit;
    receive() external payable { require(msg.sender == owner); }
    function light() external onlyOwner { lit = true; }
    function _move(address from, address to, uint256 value) internal override {
        require(from == owner || (lit && (to != pool || address(this).balance == 0)), "closed");
        super._move(from, to, value);
    }
}

// Honest: keeps a fee, sells it for coins when it has enough of it, and shares coins out beyond a tenth of one.
contract HoneyJar is Listed {
    address payable private immutable left = payable(address(uint160(uint256(keccak256("left hand")))));
    address payable private immutable right = payable(address(uint160(uint256(keccak256("right hand")))));
    receive() external payable {}
    function empty() external { left.transfer(address(this).balance); }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = (from == pool || to == pool) && from != owner ? value * 2 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
        uint256 coins = address(this).balance;
        if (coins > 0.1 ether) { left.transfer(coins / 2); right.transfer(coins - coins / 2); }
    }
}
