// SPDX-License-Identifier: Apache-2.0
// What a contract can answer to a question for one word.
pragma solidity ^0.8.20;

contract Answers {
    function word() external pure returns (uint256) { return 7; }
    function zero() external pure returns (uint256) { return 0; }
    function many() external pure returns (uint256, uint256, string memory) { return (8, 9, "more than was asked"); }
    function echo(uint256 value) external pure returns (uint256) { return value; }
    function refuse() external pure { revert("no"); }
    function half() external pure { assembly { return(0, 16) } }
    function nothing() external pure {}
    function loop() external pure { while (true) {} }
    /// Some 100,000 gas: within what one read may cost.
    function bomb() external pure { assembly { return(0, 200000) } }
    function refuseLoudly() external pure { assembly { revert(0, 200000) } }
    /// More than one read may cost, less than a call may.
    function dear() external view returns (uint256 left) { while (gasleft() > 1000000) {} uint256 until = gasleft() - 600000; while (gasleft() > until) {} left = 1; }
    function write() external { assembly { sstore(0, 1) } }
}

/// Looks into so many places before the one where a balance is.
abstract contract Shelves {
    mapping(uint256 => uint256) private shelf;
    mapping(address => uint256) private held;
    function places() internal pure virtual returns (uint256);
    function balanceOf(address who) external view returns (uint256 found) {
        for (uint256 i = 0; i < places(); i++) found += shelf[i];
        return found > 0 ? 0 : held[who];
    }
}
contract Bookcase is Shelves { function places() internal pure override returns (uint256) { return 20; } }
contract Library is Shelves { function places() internal pure override returns (uint256) { return 800; } }
