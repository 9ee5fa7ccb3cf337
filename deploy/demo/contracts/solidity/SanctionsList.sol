// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Stands in for the Chainalysis sanctions oracle at its address: same calls, same events.
contract SanctionsList {
    event SanctionedAddressesAdded(address[] addrs);
    event SanctionedAddressesRemoved(address[] addrs);

    address public immutable owner;
    mapping(address => bool) public isSanctioned;

    constructor(address keeper) {
        owner = keeper;
    }

    function addToSanctionsList(address[] calldata addrs) external {
        _set(addrs, true);
        emit SanctionedAddressesAdded(addrs);
    }

    function removeFromSanctionsList(address[] calldata addrs) external {
        _set(addrs, false);
        emit SanctionedAddressesRemoved(addrs);
    }

    function _set(address[] calldata addrs, bool listed) private {
        require(msg.sender == owner, "not the keeper");
        for (uint256 i = 0; i < addrs.length; i++) isSanctioned[addrs[i]] = listed;
    }
}
