// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import "./liars.sol";
import "./liars-by-calls.sol";
import "./liars-by-keepers.sol";
import "./honest.sol";
import "./honest-by-keepers.sol";
