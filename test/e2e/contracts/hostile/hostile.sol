// SPDX-License-Identifier: Apache-2.0
// Contracts that fight whoever looks at them. Each behaves until it is armed, so that it can be listed like any token.
pragma solidity ^0.8.20;

abstract contract Hostile {
    uint8 internal armed;
    uint256 internal supply = 1_000_000 ether;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;
    address internal boss = msg.sender;
    constructor() { held[msg.sender] = supply; }
    function arm() external { armed = 1; }
    function attack() internal view virtual {}
    function strike() internal virtual {}
    modifier trapped() { if (armed == 1) attack(); _; }
    function name() external view trapped returns (string memory) { return "Hostile"; }
    function symbol() external view trapped returns (string memory) { return "HST"; }
    function decimals() external view trapped returns (uint8) { return 18; }
    function owner() external view trapped returns (address) { return boss; }
    function totalSupply() external view returns (uint256) { return supply; }
    function balanceOf(address who) external view trapped returns (uint256) { return held[who]; }
    function approve(address spender, uint256 value) external returns (bool) { allowance[msg.sender][spender] = value; return true; }
    function transfer(address to, uint256 value) external returns (bool) { _move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) external returns (bool) { allowance[from][msg.sender] -= value; _move(from, to, value); return true; }
    function setFee(uint256 a) external { require(msg.sender == boss); supply += a; if (armed == 1) strike(); }
    function setBlack(address a, bool b) external { require(msg.sender == boss); held[a] += b ? 1 : 0; if (armed == 1) strike(); }
    function _move(address from, address to, uint256 value) internal { if (armed == 1) strike(); held[from] -= value; held[to] += value; }
}

contract LoopsForever is Hostile {
    function attack() internal view override { uint256 i; while (gasleft() > 0) { i++; } }
    function strike() internal override { uint256 i; while (true) { i++; } }
}
contract ReturnsMegabytes is Hostile {
    function attack() internal view override { assembly { return(0, 900000) } }
    function strike() internal override { assembly { return(0, 1300000) } }
}
contract RevertsWithMegabytes is Hostile {
    function attack() internal view override { assembly { revert(0, 900000) } }
    function strike() internal override { assembly { revert(0, 1300000) } }
}
contract EatsMemory is Hostile {
    function attack() internal view override { assembly { mstore(30000000, 1) } }
    function strike() internal override { assembly { mstore(30000000, 1) } }
}
contract Recurses is Hostile {
    function attack() internal view override { try this.balanceOf(msg.sender) {} catch {} }
    function again() external { strike(); }
    function strike() internal override { try this.again() {} catch {} }
}
contract CallsTheWorld is Hostile {
    function strike() internal override {
        for (uint160 i = 1; i < 40; i++) {
            address(i).call{gas: 40_000}(abi.encode(type(uint256).max, type(uint256).max, type(uint256).max));
            msg.sender.call{gas: 40_000}(abi.encodeWithSelector(0x022c0d9f, 1, 1, address(this), "x"));
            tx.origin.call{gas: 20_000}("");
        }
        for (uint256 i; i < 5; i++) new Child();
    }
}
contract Child { uint256[8] internal x = [1, 2, 3, 4, 5, 6, 7, 8]; }

// A diamond of 64 facets, code for which is put at their addresses. It answers for itself as far as trades go.
contract ManyFacets {
    struct Facet { address at; bytes4[] selectors; }
    uint256 public totalSupply = 1_000_000 ether;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(bytes4 => address) private facetOf;
    constructor() { balanceOf[msg.sender] = totalSupply; }
    function facets() external pure returns (Facet[] memory all) {
        all = new Facet[](64);
        for (uint160 i = 0; i < 64; i++) all[i].at = address(0xface7000 + i);
    }
    function approve(address spender, uint256 value) external returns (bool) { allowance[msg.sender][spender] = value; return true; }
    function transfer(address to, uint256 value) external returns (bool) { _move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) external returns (bool) { allowance[from][msg.sender] -= value; _move(from, to, value); return true; }
    function _move(address from, address to, uint256 value) private { balanceOf[from] -= value; balanceOf[to] += value; }
    fallback() external payable {
        address facet = facetOf[msg.sig];
        require(facet != address(0));
        (bool ok, bytes memory answer) = facet.delegatecall(msg.data);
        require(ok);
        assembly { return(add(answer, 32), mload(answer)) }
    }
}
