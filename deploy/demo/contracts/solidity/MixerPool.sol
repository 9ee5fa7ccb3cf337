// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Stands in for a Tornado Cash pool at its address: same calls, same events, real value. The proof is not checked:
/// whoever names an unspent nullifier may withdraw, which is enough for a chain nobody else writes to.
contract MixerPool {
    event Deposit(bytes32 indexed commitment, uint32 leafIndex, uint256 timestamp);
    event Withdrawal(address to, bytes32 nullifierHash, address indexed relayer, uint256 fee);

    uint256 public immutable denomination;
    uint32 public nextIndex;
    mapping(bytes32 => bool) public commitments;
    mapping(bytes32 => bool) public nullifierHashes;

    constructor(uint256 denomination_) {
        denomination = denomination_;
    }

    function deposit(bytes32 commitment) external payable {
        require(msg.value == denomination && !commitments[commitment], "bad deposit");
        commitments[commitment] = true;
        emit Deposit(commitment, nextIndex++, block.timestamp);
    }

    function withdraw(
        bytes calldata,
        bytes32,
        bytes32 nullifierHash,
        address payable recipient,
        address payable relayer,
        uint256 fee,
        uint256
    ) external payable {
        require(!nullifierHashes[nullifierHash] && fee < denomination, "bad withdrawal");
        nullifierHashes[nullifierHash] = true;
        (bool paid, ) = recipient.call{value: denomination - fee}("");
        require(paid, "recipient refused");
        if (fee > 0) {
            (bool rewarded, ) = relayer.call{value: fee}("");
            require(rewarded, "relayer refused");
        }
        emit Withdrawal(recipient, nullifierHash, relayer, fee);
    }
}
