// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IRouter {
    function swapExactETHForTokens(uint256, address[] calldata, address, uint256) external payable returns (uint256[] memory);
    function swapExactTokensForETH(uint256, uint256, address[] calldata, address, uint256) external returns (uint256[] memory);
}

interface IApprovable {
    function approve(address spender, uint256 value) external returns (bool);
}

/// An honest bot's contract: a round trip through two pools in one transaction, the coins go back to its owner.
contract Arbitrage {
    address payable public immutable owner;

    constructor() {
        owner = payable(msg.sender);
    }

    receive() external payable {}

    function turn(IRouter router, address[] calldata there, address[] calldata back) external payable {
        require(msg.sender == owner, "not the owner");
        uint256[] memory got = router.swapExactETHForTokens{value: msg.value}(0, there, address(this), block.timestamp);
        uint256 amount = got[got.length - 1];
        IApprovable(back[0]).approve(address(router), amount);
        router.swapExactTokensForETH(amount, 0, back, owner, block.timestamp);
    }
}
