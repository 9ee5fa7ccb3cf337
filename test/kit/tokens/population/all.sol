// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import "./liars.sol";
import "./liars-by-calls.sol";
import "./honest.sol";
